import type { ApiError } from '../../objects/ApiError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { decideCharge } from './decideCharge.ts';
import type { ChargedObject, ResourceQuota } from './QuotaCharges.ts';

/**
 * ResourceQuota admission: adds the object's usage to the `status.used` of each quota of its namespace that counts it, by conditional
 * writes, before the object is created. If the create fails afterwards, the charge stays until the quota controller counts again. Of a change of `old`, what the object uses more is charged.
 * A dry run is refused as the request would be, and charges nothing.
 */
export async function chargeQuotas(
  context: RegistryContext,
  { groupResource, namespaced }: ResourceEntry,
  draft: KubernetesObject,
  { old, dryRun = false }: { readonly old?: KubernetesObject; readonly dryRun?: boolean | undefined } = {},
): Promise<ApiError | undefined> {
  if (!namespaced || groupResource === 'events') return undefined;
  const { namespace = '' } = draft.metadata;
  const charged: ChargedObject = { resource: groupResource, draft, old };
  const quotas = await context.admission.quotas<ResourceQuota>(
    namespace,
    (found) => exceeded(context, found, charged) === undefined,
  );
  // As in Kubernetes, no quota is charged if one of them is exceeded.
  const refusal = exceeded(context, quotas, charged);
  if (refusal !== undefined || dryRun) return refusal;
  for (const quota of quotas) {
    const error = await context.charges.charge(quota, charged);
    if (error !== undefined) return error;
  }
  return undefined;
}

function exceeded(
  { clock }: RegistryContext,
  quotas: readonly ResourceQuota[],
  { resource, draft, old }: ChargedObject,
): ApiError | undefined {
  const nowMs = clock.now();
  for (const quota of quotas) {
    const { error } = decideCharge(quota, resource, draft, nowMs, old);
    if (error !== undefined) return error;
  }
  return undefined;
}
