import type * as core from 'kubernetes-types/core/v1.js';
import { isConfigMapKey, isDns1123Subdomain, isEnvironmentVariableName } from '../../../objects/nameFormats.ts';
import {
  all,
  type Check,
  dnsSubdomain,
  fields,
  format,
  given,
  ifPresent,
  ifSet,
  items,
  nonEmptyText,
} from '../checks.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateFieldRef, validateResourceFieldRef } from './validateFieldRefs.ts';

const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const ONLY_ONE = 'may not have more than one field specified at a time';
const variableName = format(isEnvironmentVariableName);

const keyRef = ifPresent(
  fields<core.SecretKeySelector>({ name: dnsSubdomain, key: nonEmptyText('', format(isConfigMapKey)) }),
);

/** How many sources a value may have: one, and none beside a plain value. */
function sourceCount(hasValue: boolean): Check {
  return given<core.EnvVarSource>((source) => (_, path) => {
    const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
    const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(isPresent).length;
    const none = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    if (count === 0) return [invalid(path, '', none)];
    if (hasValue) return [invalid(path, '', 'may not be specified when `value` is not empty')];
    return count > 1 ? [invalid(path, '', ONLY_ONE)] : [];
  });
}

const valueFrom = fields<core.EnvVarSource>({
  fieldRef: ifPresent((reference, path) => validateFieldRef(reference, ENV_FIELDS, path)),
  resourceFieldRef: ifPresent((reference, path) => validateResourceFieldRef(reference, false, path)),
  configMapKeyRef: keyRef,
  secretKeyRef: keyRef,
});

/** Environment variables: their names and the sources of their values. */
export const validateEnv = items(
  given<core.EnvVar>(({ value }) =>
    fields<core.EnvVar>({
      name: nonEmptyText('', variableName),
      valueFrom: ifPresent(all(valueFrom, sourceCount(textOf(value) !== ''))),
    }),
  ),
);

/** A name is checked as a prefix, as Kubernetes does: it may end in a dash. */
const prefixedName: Check = (value, path) => {
  const name = textOf(value);
  if (name === '') return [required(path)];
  const masked = name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
  return invalidEach(path, name, isDns1123Subdomain(masked));
};

const named = ifPresent(fields({ name: prefixedName }));
const envFromSource = fields<core.EnvFromSource>({
  prefix: ifSet(variableName),
  configMapRef: named,
  secretRef: named,
});

/** The config maps and secrets whose keys all become variables. As in Kubernetes, the errors of their number name the list. */
export const validateEnvFrom: Check = (envFrom, path) =>
  itemsOf<core.EnvFromSource>(envFrom).flatMap((source, index) => {
    const count = [source.configMapRef, source.secretRef].filter(isPresent).length;
    return [
      ...envFromSource(source, `${path}[${index}]`),
      ...(count === 0 ? [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(count > 1 ? [invalid(path, '', ONLY_ONE)] : []),
    ];
  });
