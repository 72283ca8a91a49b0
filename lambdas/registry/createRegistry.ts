import type { KubernetesObject, NewObject } from '../objects/KubernetesObject.ts';
import type { GroupResource, ObjectKey } from '../objects/ObjectKey.ts';
import { BudgetExhaustedError, RequestBudget } from '../objects/RequestBudget.ts';
import type { Clock } from '../ports/Clock.ts';
import type { Ids } from '../ports/Ids.ts';
import type { ListOptions, ObjectStore } from '../ports/ObjectStore.ts';
import type { DynamicAdmission } from './admission/dynamic/DynamicAdmission.ts';
import { AdmissionReads } from './admission/AdmissionReads.ts';
import { QuotaCharges } from './admission/QuotaCharges.ts';
import type { ConversionWebhooks } from './customresources/conversion/ConversionWebhooks.ts';
import { DEFINITIONS } from './customresources/CustomResourceDefinition.ts';
import { createObject } from './createObject.ts';
import { deleteObject } from './deleteObject.ts';
import type {
  Budgeted,
  DeleteOptions,
  Registry,
  RegistryUntil,
  TrackedOptions,
  UpdateOptions,
  WriteOptions,
} from './Registry.ts';
import type { RegistryContext } from './RegistryContext.ts';
import type { ResourceCatalog } from './ResourceCatalog.ts';
import type { ServiceNetwork } from './services/ServiceNetwork.ts';
import { removeAndRelease } from './services/writeService.ts';
import { updateObject } from './updateObject.ts';

export interface RegistryParts {
  readonly objectStore: ObjectStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly catalog: ResourceCatalog;
  /** What admission reads, shared by registries of one process. Absent: this one reads anew for each create. */
  readonly admission?: AdmissionReads;
  /** Shared as well. */
  readonly charges?: QuotaCharges;
  /** Webhooks and policies, shared as well. Absent: nothing is asked. */
  readonly dynamicAdmission?: DynamicAdmission;
  /**
   * Whether pods are admitted by their service accounts, as with the API server's plugin ServiceAccount. It needs the controller that creates the accounts `default`. Absent: a pod only names its
   * account, as in envtest, which runs no controllers.
   */
  readonly admitsServiceAccounts?: boolean;
  /** Where Services get their addresses and ports from; absent: kubeadm's. */
  readonly serviceNetwork?: ServiceNetwork | undefined;
  /** The conversion webhooks of definitions, shared as well. Absent: custom objects are not converted by webhooks. */
  readonly conversions?: ConversionWebhooks;
}

/**
 * Creates a Registry over an ObjectStore. Reads pass through. Pure functions decide each write, which is one conditional write. Admission needs more:
 * a create in a namespace reads the namespace and lists its quotas, and a pod's create also lists its limit ranges.
 */
export function createRegistry(parts: RegistryParts): Registry {
  const { objectStore, admission = new AdmissionReads(parts), charges = new QuotaCharges(parts) } = parts;
  const context: RegistryContext = { ...parts, admission, charges };
  const forgetAfter = forgetterOf(parts, admission);
  return {
    get: <T extends KubernetesObject>(key: ObjectKey) => objectStore.get<T>(key),
    list: <T extends KubernetesObject>(resource: GroupResource, options?: ListOptions) =>
      objectStore.list<T>(resource, options),
    ...(objectStore.listEncoded && { listEncoded: objectStore.listEncoded.bind(objectStore) }),
    create: <T extends KubernetesObject>(resource: GroupResource, object: NewObject, options: TrackedOptions = {}) =>
      forgetAfter(
        resource,
        object.metadata,
        onBudget(options, (budgeted) => createObject<T>(context, resource, object, budgeted)),
      ),
    update: <T extends KubernetesObject>(resource: GroupResource, object: T, options: UpdateOptions<T> = {}) =>
      forgetAfter(
        resource,
        object.metadata,
        onBudget(options, (budgeted) => updateObject(context, resource, object, budgeted)),
      ),
    delete: <T extends KubernetesObject>(key: ObjectKey, options: DeleteOptions = {}) =>
      forgetAfter(
        key.resource,
        key,
        onBudget(options, (budgeted) => deleteObject<T>(context, key, budgeted)),
      ),
  };
}

/** Gives a write its budget. One that exhausts it is refused. */
async function onBudget<O extends WriteOptions, R>(
  options: O,
  write: (options: Budgeted<O>) => Promise<R>,
): Promise<R | { readonly status: 'refused'; readonly error: BudgetExhaustedError }> {
  try {
    return await write({ ...options, budget: options.budget ?? new RequestBudget() });
  } catch (error) {
    if (error instanceof BudgetExhaustedError) return { status: 'refused', error };
    throw error;
  }
}

/** Removes an object without any of the rules: finalizers, grace periods and webhooks are not asked. For a test that empties its cluster. */
export async function removeAtOnce(
  parts: RegistryParts & { readonly admission: AdmissionReads },
  key: ObjectKey,
): Promise<void> {
  const removed = removeAndRelease(parts.objectStore, key, () => parts.objectStore.remove(key));
  await forgetterOf(parts, parts.admission)(key.resource, key, removed);
}

/** What this process remembers of an object ends with the next write of it. */
function forgetterOf(parts: RegistryParts, admission: AdmissionReads): AdmissionReads['forgetAfter'] {
  return (resource, place, written) =>
    resource === DEFINITIONS
      ? written.finally(() => parts.catalog.custom.forget())
      : admission.forgetAfter(resource, place, forgetConfigured(parts.dynamicAdmission, resource, written));
}

/** A written configuration of webhooks or policies applies to the next request of this process. */
function forgetConfigured<T>(
  dynamicAdmission: DynamicAdmission | undefined,
  resource: GroupResource,
  written: Promise<T>,
): Promise<T> {
  if (dynamicAdmission === undefined || !resource.endsWith('.admissionregistration.k8s.io')) return written;
  return written.finally(() => dynamicAdmission.forget(resource));
}

/** Creates the registries of callers whose time is limited. */
export function createRegistryUntil(parts: RegistryParts): RegistryUntil {
  const { objectStore } = parts;
  return (timeLeftMs) => createRegistry({ ...parts, objectStore: objectStore.until?.(timeLeftMs) ?? objectStore });
}
