import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { invalid, invalidEach } from './fieldErrors.ts';

const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
const STANDARD_RESOURCES = new Set(
  `cpu memory ephemeral-storage storage requests.cpu requests.memory requests.ephemeral-storage requests.storage limits.cpu limits.memory
  limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims
  services.nodeports services.loadbalancers`.split(/\s+/),
);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Kubernetes' own resources: without a domain, or with one of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A resource of somebody else's, such as `example.com/gpu`: counted in whole numbers, never shared. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
}

/** True if containers may ask for less than their limit. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** A name under which a container can ask for something. */
export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    const isKnown = CONTAINER_RESOURCES.has(name) || isHugePages(name);
    return isKnown ? errors : [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

function validateResourceName(name: string, path: string): FieldError[] {
  const errors = invalidEach(path, name, isQualifiedName(name));
  if (errors.length > 0 || name.includes('/')) return errors;
  const isStandard = STANDARD_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  return isStandard ? [] : [invalid(path, name, 'must be a standard resource type or fully qualified')];
}
