import type { ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { isClaimLimit, quotaSelects, quotaUsage } from '../../objects/quantities/quota.ts';
import {
  addAmounts,
  formatAmounts,
  maskAmounts,
  parseAmounts,
  type ResourceAmounts,
} from '../../objects/quantities/resourceAmounts.ts';

export type ResourceQuota = Stored<ApiResourceQuota>;

/** The namespace's objects that the quota may count, by resource. */
export type CountedObjects = ReadonlyMap<GroupResource, readonly KubernetesObject[]>;

const COMPUTE = /^(?:requests\.|limits\.)|^(?:pods|cpu|memory|ephemeral-storage)$|^hugepages-/;

/** Returns the stored resource that a limit like `requests.cpu`, `count/deployments.apps` or `secrets` is about. */
export function resourceOfLimit(name: string): GroupResource {
  if (name.startsWith('count/')) return name.slice('count/'.length);
  if (isClaimLimit(name)) return 'persistentvolumeclaims';
  return COMPUTE.test(name) ? 'pods' : name;
}

/** Returns the status that a quota should have, or `undefined` if it has that status. Limits on resources that are not served count nothing. Pure. */
export function decideRecount(quota: ResourceQuota, counted: CountedObjects, nowMs: number): ResourceQuota['status'] {
  const hard = quota.spec?.hard ?? {};
  const used = formatAmounts(usageOf(quota, counted, nowMs));
  const status = { hard: { ...hard }, used };
  return sameAmounts(quota.status?.hard, hard) && sameAmounts(quota.status?.used, used) ? undefined : status;
}

function usageOf(quota: ResourceQuota, counted: CountedObjects, nowMs: number): ResourceAmounts {
  const names = Object.keys(quota.spec?.hard ?? {});
  const none = parseAmounts(Object.fromEntries(names.map((name) => [name, '0'])));
  let used = none;
  for (const [resource, objects] of counted) {
    for (const object of objects) {
      if (!quotaSelects(quota.spec ?? {}, resource, object)) continue;
      used = addAmounts(used, maskAmounts(quotaUsage(resource, object, nowMs), names));
    }
  }
  return used;
}

function sameAmounts(a: Readonly<Record<string, unknown>> | undefined, b: Readonly<Record<string, unknown>>): boolean {
  const one = formatAmounts(parseAmounts(a));
  const other = formatAmounts(parseAmounts(b));
  return (
    a !== undefined &&
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(one).every((name) => one[name] === other[name])
  );
}
