import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { PersistentVolumeClaimStatus } from 'kubernetes-types/core/v1.js';
import { jsonEqual } from '../../objects/json.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import type { Claim, Volume } from '../scheduler/framework/Volumes.ts';
import { claimBoundTo, volumeBoundTo } from './boundPair.ts';

export const CLAIMS = 'persistentvolumeclaims';
export const VOLUMES = 'persistentvolumes';

/** Binds the two by Kubernetes' four writes, `bind`: the volume, its phase, the claim, its phase. Each shows how far it has come, so any sync can go on. `wanted`: the claim with what else is to be written. */
export async function bindPair(
  registry: GuardedRegistry,
  volume: Volume,
  claim: Claim,
  writes: string[],
  wanted = claim,
): Promise<'bound' | 'changed'> {
  const { name } = volume.metadata;
  const claimText = namespacedName(claim);
  const reserved = await update(registry, VOLUMES, volume, volumeBoundTo(volume, claim));
  if (!reserved) return 'changed';
  if (reserved !== volume) writes.push(`reserve ${VOLUMES} ${name} for ${claimText}`);
  if (!(await updatePhase(registry, reserved, 'Bound', writes))) return 'changed';
  const bound = await update(registry, CLAIMS, claim, claimBoundTo(wanted, volume));
  if (!bound) return 'changed';
  if (bound !== claim) writes.push(`bind ${CLAIMS} ${claimText} to ${name}`);
  const status = { ...bound.status, ...boundStatus(volume) };
  return (await updateClaimStatus(registry, bound, status, writes)) ? 'bound' : 'changed';
}

/** Writes the volume's phase if it is another one; `undefined` if the volume has changed since it was read. */
export async function updatePhase(
  registry: GuardedRegistry,
  volume: Volume,
  phase: string,
  writes: string[],
  message?: string,
): Promise<Volume | undefined> {
  if (volume.status?.phase === phase) return volume;
  const { message: _, ...before } = volume.status ?? {};
  const status = { ...before, phase, ...(message !== undefined && { message }) };
  const written = await update(registry, VOLUMES, volume, { ...volume, status }, 'status');
  if (written) writes.push(`status of ${VOLUMES} ${volume.metadata.name}`);
  return written;
}

/** The same for the status of a claim. */
export async function updateClaimStatus(
  registry: GuardedRegistry,
  claim: Claim,
  status: PersistentVolumeClaimStatus,
  writes: string[],
): Promise<Claim | undefined> {
  if (jsonEqual(claim.status, status)) return claim;
  const written = await update(registry, CLAIMS, claim, { ...claim, status }, 'status');
  if (written) writes.push(`status of ${CLAIMS} ${namespacedName(claim)}`);
  return written;
}

/** Writes the object as it is to be, unless it is so; `undefined` if it has changed since it was read. Throws other refusals. */
export async function update<T extends Claim | Volume>(
  registry: GuardedRegistry,
  resource: string,
  from: T,
  to: T,
  subresource?: 'status',
): Promise<T | undefined> {
  if (to === from) return from;
  const outcome = await registry.update<T>(resource, to, { from, ...(subresource && { subresource }) });
  if (outcome.status === 'stored') return outcome.object;
  if (['Conflict', 'NotFound'].includes(outcome.error.reason)) return undefined;
  throw outcome.error;
}

/** The status of a claim that has this volume. */
function boundStatus({ spec }: Volume): PersistentVolumeClaimStatus {
  return { phase: 'Bound', accessModes: [...(spec?.accessModes ?? [])], capacity: spec?.capacity ?? {} };
}
