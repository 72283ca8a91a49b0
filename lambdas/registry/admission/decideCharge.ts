import type { Container, PodSpec, ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { forbidden } from '../../objects/apiErrors.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { hasPodLevelResources } from '../../objects/pods/podLevelResources.ts';
import { compareQuantities } from '../../objects/quantities/quantity.ts';
import { quotaSelects, quotaUsage } from '../../objects/quantities/quota.ts';
import {
  addAmounts,
  formatAmounts,
  maskAmounts,
  parseAmounts,
  type ResourceAmounts,
  subtractAmounts,
} from '../../objects/quantities/resourceAmounts.ts';

type ResourceQuota = Stored<ApiResourceQuota>;

/** Resources that each container must specify if a quota limits them. */
const MUST_BE_SPECIFIED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** The outcome for one quota. Without both members, the quota does not count this object. */
export interface ChargeDecision {
  readonly error?: ApiError;
  /** The quota with the object's usage added to `status.used`. */
  readonly charged?: ResourceQuota;
}

/**
 * Decides what creating this object charges to one quota of its namespace, as `CheckRequest` of Kubernetes' quota admission. A change of an object charges what it uses more than `old`: what it uses less is
 * given back by the next recount. Pure.
 */
export function decideCharge(
  quota: ResourceQuota,
  resource: GroupResource,
  object: KubernetesObject,
  nowMs: number,
  old?: KubernetesObject,
): ChargeDecision {
  const limited = Object.keys(quota.status?.hard ?? quota.spec?.hard ?? {});
  const usage = quotaUsage(resource, object, nowMs);
  if (!quotaSelects(quota.spec ?? {}, resource, object)) return {};
  const refuse = (why: string) => ({ error: forbidden(resource, object.metadata.name, why) });
  const missing = resource === 'pods' ? unspecified(object['spec'] as PodSpec, limited) : [];
  if (missing.length > 0) return refuse(`failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}`);
  const before = old ? quotaUsage(resource, old, nowMs) : {};
  const requested = withoutZeros(maskAmounts(subtractAmounts(usage, before), limited));
  if (Object.keys(requested).length === 0) return {};
  const uncounted = Object.keys(requested).filter((name) => quota.status?.used?.[name] === undefined);
  if (uncounted.length > 0)
    return refuse(`status unknown for quota: ${quota.metadata.name}, resources: ${uncounted.sort().join(',')}`);
  const used = parseAmounts(quota.status?.used);
  const hard = parseAmounts(quota.status?.hard);
  const exceeded = exceededBy(addAmounts(used, requested), hard, Object.keys(requested));
  if (exceeded.length > 0) {
    const print = (amounts: ResourceAmounts) => printAmounts(maskAmounts(amounts, exceeded));
    return refuse(
      `exceeded quota: ${quota.metadata.name}, requested: ${print(requested)}, used: ${print(used)}, limited: ${print(hard)}`,
    );
  }
  const status = { ...quota.status, used: formatAmounts(addAmounts(used, requested)) };
  return { charged: { ...quota, status } };
}

function withoutZeros(amounts: ResourceAmounts): ResourceAmounts {
  return Object.fromEntries(Object.entries(amounts).filter(([, { nanos }]) => nanos > 0n));
}

function exceededBy(total: ResourceAmounts, hard: ResourceAmounts, names: readonly string[]): string[] {
  return names.filter((name) => {
    const [limit, wanted] = [hard[name], total[name]];
    return limit !== undefined && wanted !== undefined && compareQuantities(wanted, limit) > 0;
  });
}

/** Writes `pods=1,requests.cpu=500m`. */
function printAmounts(amounts: ResourceAmounts): string {
  return Object.entries(formatAmounts(amounts))
    .map(([name, amount]) => `${name}=${amount}`)
    .sort()
    .join(',');
}

/** Writes `limits.cpu for: app,proxy` for each limited resource that some containers do not specify. The containers of a pod that has resources as a whole need none. */
function unspecified(spec: PodSpec, limited: readonly string[]): string[] {
  if (hasPodLevelResources(spec)) return [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return MUST_BE_SPECIFIED.filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const missing = containers.filter((container) => !specifies(container, name)).map((container) => container.name);
      return missing.length === 0 ? [] : [`${name} for: ${[...new Set(missing)].sort().join(',')}`];
    });
}

function specifies({ resources }: Container, name: string): boolean {
  const [member, resource] = name.includes('.') ? name.split('.') : ['requests', name];
  const list = member === 'limits' ? resources?.limits : resources?.requests;
  return list?.[resource ?? ''] !== undefined;
}
