import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { ObjectKey } from '../objects/ObjectKey.ts';
import type { SyncContext, SyncReport } from './Controller.ts';
import { reportDone } from './sharedReasons.ts';

interface Expiry {
  /** In how many milliseconds the object is deleted; 0 or less: now, `undefined`: never. */
  readonly delayMs: number | undefined;
  readonly propagationPolicy?: 'Foreground';
  /** The reports if the object stays, and if it is deleted. */
  readonly stays: SyncReport;
  readonly expired: SyncReport;
}

/** Deletes an object as it was read, or waits until its time is over. Throws the error of a refusal that has nothing to do with a change of the object. */
export async function deleteWhenExpired(
  { registry }: SyncContext,
  place: ObjectKey,
  object: KubernetesObject,
  { delayMs, propagationPolicy, stays, expired }: Expiry,
): Promise<SyncReport> {
  if (delayMs === undefined) return stays;
  if (delayMs > 0)
    return { ...reportDone({ reason: 'expires', delayMs }), outcome: { status: 'requeueAfter', delayMs } };
  const { uid, resourceVersion } = object.metadata;
  const options = { preconditions: { uid, resourceVersion }, ...(propagationPolicy && { propagationPolicy }) };
  const outcome = await registry.delete(place, options);
  if (outcome.status !== 'refused') {
    const path = place.namespace === '' ? place.name : `${place.namespace}/${place.name}`;
    return { ...expired, writes: [`delete ${place.resource} ${path}`] };
  }
  if (outcome.error.reason === 'NotFound') return stays;
  if (outcome.error.reason !== 'Conflict') throw outcome.error;
  return { ...stays, outcome: { status: 'conflict' } };
}
