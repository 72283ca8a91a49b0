import type { Secret as ApiSecret } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { goJsonError } from '../../objects/go/goJsonError.ts';
import { mapsEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { isConfigMapKey } from '../../objects/nameFormats.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { forbidden, immutableField, invalid, invalidEach, required, tooLong } from '../validation/fieldErrors.ts';
import { selectFields, STANDARD_VERBS } from './standardRules.ts';

type Secret = Stored<ApiSecret>;

const MAX_SECRET_BYTES = 1024 * 1024;

/** The keys that secrets of these types must have. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Stores the texts of `stringData` in `data`, in base64; they replace entries of the same key. */
function applySecretDefaults(draft: KubernetesObject): void {
  const secret = draft as Secret;
  secret.type = secret.type || 'Opaque';
  const { stringData } = secret;
  if (stringData === undefined) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  secret.data = { ...secret.data, ...(Object.fromEntries(encoded) as Record<string, string>) };
  delete secret.stringData;
}

function validateSecret(object: KubernetesObject): FieldError[] {
  const { data = {}, type = '', metadata } = object as Secret;
  const bytes = Object.values(data).reduce((sum, value) => sum + Buffer.from(value, 'base64').length, 0);
  const needsAccount =
    type === 'kubernetes.io/service-account-token' &&
    (metadata.annotations?.['kubernetes.io/service-account.name'] ?? '') === '';
  return [
    ...Object.keys(data).flatMap((key) => invalidEach(`data[${key}]`, key, isConfigMapKey(key))),
    ...(bytes > MAX_SECRET_BYTES ? [tooLong('data', MAX_SECRET_BYTES)] : []),
    ...(REQUIRED_KEYS[type] ?? []).filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`)),
    ...contentErrors(type, data),
    ...(needsAccount ? [required('metadata.annotations[kubernetes.io/service-account.name]')] : []),
  ];
}

/** What the types of secrets ask of their contents. The path of some keys has a `%s`, which clients see in Kubernetes too. */
function contentErrors(type: string, data: Readonly<Record<string, string>>): FieldError[] {
  switch (type) {
    case 'kubernetes.io/basic-auth': {
      const keys = ['username', 'password'];
      return keys.some((key) => Object.hasOwn(data, key)) ? [] : keys.map((key) => required(`data[%s][${key}]`));
    }
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [required('data[%s][ssh-privatekey]')] : [];
    case 'kubernetes.io/dockercfg':
    case 'kubernetes.io/dockerconfigjson': {
      const key = type.replace('kubernetes.io/', '.');
      const error = jsonError(data[key]);
      return error === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', error)];
    }
    default:
      return [];
  }
}

/** Go's words for contents that are no JSON; `undefined` for JSON, and for contents that are missing. */
function jsonError(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return goJsonError(text, error);
  }
}

function validateSecretUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object as Secret, old as Secret];
  const frozen = before.immutable === true;
  return [
    ...immutableField('type', now.type, before.type),
    ...(frozen && now.immutable !== true ? [forbidden('immutable', 'field is immutable when `immutable` is set')] : []),
    ...(frozen && !mapsEqual(now.data, before.data)
      ? [forbidden('data', 'field is immutable when `immutable` is set')]
      : []),
    ...validateSecret(object),
  ];
}

const secretsTable: TableRules = {
  columns: [
    nameColumn,
    column('Type', 'What the secret is for.'),
    column('Data', 'How many entries it holds.'),
    ageColumn,
  ],
  cells(object, nowMs) {
    const { type = '', data = {} } = object as Secret;
    return [object.metadata.name, type, Object.keys(data).length, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

export const secrets: ResourceEntry = {
  groupResource: 'secrets',
  group: '',
  plural: 'secrets',
  singular: 'secret',
  kind: 'Secret',
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applySecretDefaults }],
  strategy: {
    validate: validateSecret,
    prepareForUpdate(draft, old) {
      // As in Kubernetes, an update without a type keeps the stored type.
      if ((draft['type'] ?? '') === '') draft['type'] = old['type'];
    },
    validateUpdate: validateSecretUpdate,
  },
  table: secretsTable,
  selectableFields: (object) => selectFields(object, ['type']),
};
