import type { EnvFromSource, EnvVar, EnvVarSource, SecretKeySelector } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isConfigMapKey, isDns1123Subdomain, isEnvironmentVariableName } from '../../../objects/nameFormats.ts';
import { invalid, invalidEach, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
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

/** Validates environment variables: their names and the sources of their values. */
export function validateEnv(env: unknown, path: string): FieldError[] {
  return itemsOf<EnvVar>(env).flatMap((variable, index) => {
    const name = textOf(variable.name);
    const namePath = `${path}[${index}].name`;
    return [
      ...(name === '' ? [required(namePath)] : invalidEach(namePath, name, isEnvironmentVariableName(name))),
      ...(isPresent(variable.valueFrom) ? validateValueFrom(variable, `${path}[${index}].valueFrom`) : []),
    ];
  });
}

function validateValueFrom(variable: Fields<EnvVar>, path: string): FieldError[] {
  const source = fieldsOf<EnvVarSource>(variable.valueFrom);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(isPresent).length;
  return [
    ...(isPresent(fieldRef) ? validateFieldRef(fieldRef, ENV_FIELDS, `${path}.fieldRef`) : []),
    ...(isPresent(resourceFieldRef)
      ? validateResourceFieldRef(resourceFieldRef, false, `${path}.resourceFieldRef`)
      : []),
    ...(isPresent(configMapKeyRef) ? validateKeyRef(configMapKeyRef, `${path}.configMapKeyRef`) : []),
    ...(isPresent(secretKeyRef) ? validateKeyRef(secretKeyRef, `${path}.secretKeyRef`) : []),
    ...validateSourceCount(sources, textOf(variable.value) !== '', path),
  ];
}

function validateSourceCount(sources: number, hasValue: boolean, path: string): FieldError[] {
  if (sources === 0) {
    return [
      invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'),
    ];
  }
  if (hasValue) return [invalid(path, '', 'may not be specified when `value` is not empty')];
  return sources > 1 ? [invalid(path, '', ONLY_ONE)] : [];
}

function validateKeyRef(reference: unknown, path: string): FieldError[] {
  const selector = fieldsOf<SecretKeySelector>(reference);
  const [name, key] = [textOf(selector.name), textOf(selector.key)];
  return [
    ...invalidEach(`${path}.name`, name, isDns1123Subdomain(name)),
    ...(key === '' ? [required(`${path}.key`)] : invalidEach(`${path}.key`, key, isConfigMapKey(key))),
  ];
}

/** Validates the config maps and secrets whose keys all become variables. */
export function validateEnvFrom(envFrom: unknown, path: string): FieldError[] {
  return itemsOf<EnvFromSource>(envFrom).flatMap((source, index) => {
    const sourcePath = `${path}[${index}]`;
    const prefix = textOf(source.prefix);
    const { configMapRef, secretRef } = source;
    return [
      ...(prefix === '' ? [] : invalidEach(`${sourcePath}.prefix`, prefix, isEnvironmentVariableName(prefix))),
      ...(isPresent(configMapRef) ? validateEnvFromName(configMapRef, `${sourcePath}.configMapRef.name`) : []),
      ...(isPresent(secretRef) ? validateEnvFromName(secretRef, `${sourcePath}.secretRef.name`) : []),
      ...validateEnvFromCount([configMapRef, secretRef].filter(isPresent).length, path),
    ];
  });
}

function validateEnvFromCount(sources: number, path: string): FieldError[] {
  if (sources === 0) return [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')];
  return sources > 1 ? [invalid(path, '', ONLY_ONE)] : [];
}

/** Validates the name as a prefix, as Kubernetes does: it may end in a dash. */
function validateEnvFromName(reference: unknown, path: string): FieldError[] {
  const name = textOf(fieldsOf<{ name: string }>(reference).name);
  if (name === '') return [required(path)];
  const masked = name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
  return invalidEach(path, name, isDns1123Subdomain(masked));
}
