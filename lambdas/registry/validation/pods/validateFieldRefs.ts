import type { ObjectFieldSelector, ResourceFieldSelector } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isQualifiedName } from '../../../objects/nameFormats.ts';
import { formatQuantity, parseQuantity } from '../../../objects/quantities/quantity.ts';
import { invalid, invalidEach, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, textOf } from '../fieldsOf.ts';

/** The fields of a pod that the downward API supports at all. */
const DOWNWARD_FIELDS = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
  'spec.host',
]);
const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** Validates a reference to a field of the pod. `supported` are the fields that can be referenced here, sorted. */
export function validateFieldRef(reference: unknown, supported: readonly string[], path: string): FieldError[] {
  const { apiVersion, fieldPath } = fieldsOf<ObjectFieldSelector>(reference);
  if (textOf(apiVersion) === '') return [required(`${path}.apiVersion`)];
  const label = textOf(fieldPath);
  if (label === '') return [required(`${path}.fieldPath`)];
  const subscripted = splitSubscript(label);
  const plain = subscripted?.field ?? label;
  if (apiVersion !== 'v1') {
    return [conversionError(label, `unsupported pod version: ${textOf(apiVersion)}`, path)];
  }
  if (!DOWNWARD_FIELDS.has(plain)) return [conversionError(label, `field label not supported: ${plain}`, path)];
  if (subscripted) return validateSubscript(plain, subscripted.subscript, path);
  const internal = plain === 'spec.host' ? 'spec.nodeName' : plain;
  return supported.includes(internal) ? [] : [notSupported(`${path}.fieldPath`, internal, supported)];
}

/** `metadata.labels['app']` as its field and its subscript; `undefined` if the path ends in no subscript: `SplitMaybeSubscriptedPath`. */
function splitSubscript(path: string): { readonly field: string; readonly subscript: string } | undefined {
  const start = path.indexOf("['");
  if (start <= 0 || !path.endsWith("']") || start + 2 > path.length - 2) return undefined;
  return { field: path.slice(0, start), subscript: path.slice(start + 2, -2) };
}

function conversionError(label: string, reason: string, path: string): FieldError {
  return invalid(`${path}.fieldPath`, label, `error converting fieldPath: ${reason}`);
}

function validateSubscript(field: string, subscript: string, path: string): FieldError[] {
  const key = field === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
  if (field === 'metadata.annotations' || field === 'metadata.labels') {
    return invalidEach(path, key, isQualifiedName(key));
  }
  return [invalid(path, field, 'does not support subscript')];
}

/** Validates a reference to a resource of a container. In a volume it must name the container. */
export function validateResourceFieldRef(reference: unknown, inVolume: boolean, path: string): FieldError[] {
  const { containerName, resource: name, divisor } = fieldsOf<ResourceFieldSelector>(reference);
  const resource = textOf(name);
  return [
    ...validateResource(resource, inVolume && textOf(containerName) === '', path),
    ...validateDivisor(resource, divisor, path),
  ];
}

function validateResource(resource: string, containerMissing: boolean, path: string): FieldError[] {
  if (containerMissing) return [required(`${path}.containerName`)];
  if (resource === '') return [required(`${path}.resource`)];
  if (RESOURCES.includes(resource) || isHugePages(resource)) return [];
  return [notSupported(`${path}.resource`, resource, RESOURCES)];
}

function validateDivisor(resource: string, divisor: unknown, path: string): FieldError[] {
  const quantity = parseQuantity(divisor);
  if (quantity === undefined || quantity.nanos === 0n) return [];
  const text = formatQuantity(quantity);
  const kind = resource.replace(/^(limits|requests)\./, '');
  if (kind === 'cpu') return ['1m', '1'].includes(text) ? [] : [divisorError('1m and 1', 'cpu', resource, path)];
  if (BYTE_DIVISORS.includes(text)) return [];
  const values = BYTE_DIVISORS.join(', ');
  if (kind === 'memory') return [divisorError(values, 'memory', resource, path)];
  if (kind === 'ephemeral-storage') return [divisorError(values, 'local ephemeral storage', resource, path)];
  return isHugePages(resource) ? [divisorError(values, 'hugepages', resource, path)] : [];
}

function divisorError(values: string, name: string, resource: string, path: string): FieldError {
  return invalid(
    `${path}.divisor`,
    resource,
    `only divisor's values ${values} are supported with the ${name} resource`,
  );
}

function isHugePages(resource: string): boolean {
  return resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');
}
