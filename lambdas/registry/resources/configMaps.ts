import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual, mapsEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isConfigMapKey } from '../../objects/nameFormats.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { forbidden, invalidEach, tooLong } from '../validation/fieldErrors.ts';
import { STANDARD_VERBS } from './standardRules.ts';

/** Kubernetes has the same limit for secrets. */
const MAX_BYTES = 1024 * 1024;

function validateConfigMap(object: KubernetesObject): FieldError[] {
  const { data = {}, binaryData = {} } = object as ConfigMap;
  const bytes = sizeOf(data, 'utf8') + sizeOf(binaryData, 'base64');
  return [
    ...Object.keys(data).flatMap((key) => [
      ...invalidEach(`data[${key}]`, key, isConfigMapKey(key)),
      ...(Object.hasOwn(binaryData, key)
        ? invalidEach(`data[${key}]`, key, ['duplicate of key present in binaryData'])
        : []),
    ]),
    ...Object.keys(binaryData).flatMap((key) => invalidEach(`binaryData[${key}]`, key, isConfigMapKey(key))),
    // The path is Kubernetes' own.
    ...(bytes > MAX_BYTES ? [tooLong('[]', MAX_BYTES)] : []),
  ];
}

function sizeOf(entries: Readonly<Record<string, string>>, encoding: 'utf8' | 'base64'): number {
  return Object.values(entries).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

/** An immutable config map stays immutable, and so does its data. */
function validateConfigMapUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [now, before] = [object as ConfigMap, old as ConfigMap];
  const frozen = before.immutable === true;
  return [
    ...(frozen && !jsonEqual(now.immutable, true)
      ? [forbidden('immutable', 'field is immutable when `immutable` is set')]
      : []),
    ...(['data', 'binaryData'] as const)
      .filter((field) => frozen && !mapsEqual(now[field], before[field]))
      .map((field) => forbidden(field, 'field is immutable when `immutable` is set')),
    ...validateConfigMap(object),
  ];
}

const configMapsTable: TableRules = {
  columns: [nameColumn, column('Data', 'How many entries it holds, text and binary.'), ageColumn],
  cells(object, nowMs) {
    const { data = {}, binaryData = {} } = object as ConfigMap;
    const entries = Object.keys(data).length + Object.keys(binaryData).length;
    return [object.metadata.name, entries, ageOf(object.metadata.creationTimestamp, nowMs)];
  },
};

export const configMaps: ResourceEntry = {
  groupResource: 'configmaps',
  group: '',
  plural: 'configmaps',
  singular: 'configmap',
  kind: 'ConfigMap',
  shortNames: ['cm'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate },
  table: configMapsTable,
};
