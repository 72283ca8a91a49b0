import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { decideCharge } from './decideCharge.ts';
import type { ResourceQuota } from './QuotaCharges.ts';

/**
 * ResourceQuota admission: adds the object's usage to the `status.used` of each quota of its namespace that counts it, by conditional
 * writes, before the object is created. If the create fails afterwards, the charge stays until the quota controller counts again.
 */
export async function chargeQuotas(
  context: RegistryContext,
  { groupResource, namespaced }: ResourceEntry,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  if (!namespaced || groupResource === 'events') return undefined;
  const { namespace = '' } = draft.metadata;
  const quotas = await context.admission.quotas<ResourceQuota>(
    namespace,
    (found) => exceeded(context, found, groupResource, draft) === undefined,
  );
  // As in Kubernetes, no quota is charged if one of them is exceeded.
  const refusal = exceeded(context, quotas, groupResource, draft);
  if (refusal !== undefined) return refusal;
  for (const quota of quotas) {
    const error = await context.charges.charge(quota, groupResource, draft);
    if (error !== undefined) return error;
  }
  return undefined;
}

function exceeded(
  { clock }: RegistryContext,
  quotas: readonly ResourceQuota[],
  groupResource: string,
  draft: KubernetesObject,
): ApiError | undefined {
  const nowMs = clock.now();
  for (const quota of quotas) {
    const { error } = decideCharge(quota, groupResource, draft, nowMs);
    if (error !== undefined) return error;
  }
  return undefined;
}
