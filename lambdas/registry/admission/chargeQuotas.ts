import type { ResourceQuota as ApiResourceQuota } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { conflict } from '../../objects/apiErrors.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { decideCharge } from './decideCharge.ts';

type ResourceQuota = Stored<ApiResourceQuota>;

/** The number of attempts to charge one quota. Each conflict means that another create was charged meanwhile; after the last, the client must try again. */
const CHARGE_ATTEMPTS = 200;

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
  const quotas = await context.objectStore.list<ResourceQuota>('resourcequotas', { namespace });
  // As in Kubernetes, no quota is charged if one of them is exceeded.
  const nowMs = context.clock.now();
  for (const quota of quotas.items) {
    const { error } = decideCharge(quota, groupResource, draft, nowMs);
    if (error !== undefined) return error;
  }
  for (const quota of quotas.items) {
    const error = await charge(context, quota, groupResource, draft);
    if (error !== undefined) return error;
  }
  return undefined;
}

async function charge(
  { objectStore, clock }: RegistryContext,
  listed: ResourceQuota,
  groupResource: string,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  let quota = listed;
  for (let attempt = 1; attempt <= CHARGE_ATTEMPTS; attempt += 1) {
    const { error, charged } = decideCharge(quota, groupResource, draft, clock.now());
    if (error !== undefined || charged === undefined) return error;
    const outcome = await objectStore.replace<ResourceQuota>('resourcequotas', charged);
    if (outcome.status === 'stored' || outcome.status === 'absent') return undefined;
    if (outcome.status === 'tooLarge') throw new Error(`the quota ${quota.metadata.name} has grown too large`);
    quota = outcome.current;
  }
  return conflict('resourcequotas', listed.metadata.name);
}
