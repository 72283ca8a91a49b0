import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import { invalid, invalidEach } from './fieldErrors.ts';

const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
const STANDARD_RESOURCES = new Set(
  `cpu memory ephemeral-storage storage requests.cpu requests.memory requests.ephemeral-storage requests.storage limits.cpu limits.memory
  limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims
  services.nodeports services.loadbalancers`.split(/\s+/),
);

/** The resources that Kubernetes' quotas count without being told where they come from. */
const QUOTA_RESOURCES = new Set(
  `cpu memory ephemeral-storage requests.cpu requests.memory requests.storage requests.ephemeral-storage limits.cpu limits.memory
  limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets persistentvolumeclaims configmaps
  services.nodeports services.loadbalancers`.split(/\s+/),
);

export function isQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Validates the name of a resource that a quota limits. */
export function validateQuotaResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalid(path, name, 'must be a standard resource for quota')];
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** True for Kubernetes' own resources: without a domain, or in the domain kubernetes.io. */
function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** True for resources of other domains, such as `example.com/gpu`: counted in whole numbers, never overcommitted. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
}

/** True if a container may request less than its limit. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Validates the name of a resource that a container requests or limits. */
export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    const isKnown = CONTAINER_RESOURCES.has(name) || isHugePages(name);
    return isKnown ? errors : [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

/** Validates the name of a resource that something has or may have. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const errors = invalidEach(path, name, isQualifiedName(name));
  if (errors.length > 0 || name.includes('/')) return errors;
  const isStandard = STANDARD_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  return isStandard ? [] : [invalid(path, name, 'must be a standard resource type or fully qualified')];
}
