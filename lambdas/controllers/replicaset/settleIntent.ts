import type { ReplicasPlan, ReplicasWorld } from './decideReplicas.ts';
import { plannedPods } from './plannedPod.ts';
import { desiredReplicas } from './ReplicaOwner.ts';

/**
 * What to do about an intent that an earlier sync left, its requests perhaps still on their way; `undefined` if nothing of it can happen any more. The
 * world is decided afresh: recorded names that do not exist yet serve the pods that are missing now, the others are burned; recorded deletes are
 * finished, for they may land at any time. An owner that is being deleted, or is another one of the same name, cancels it. Pure.
 */
export function settleIntent(world: ReplicasWorld): ReplicasPlan | undefined {
  const { intent, owner } = world;
  if (!intent) return undefined;
  const cancelled = intent.ownerUid !== owner.metadata.uid || owner.metadata.deletionTimestamp !== undefined;
  const open = plannedPods(intent, owner.metadata.name).filter(({ uid }) => !world.seenUids.has(uid));
  const wanted = cancelled ? 0 : Math.max(0, desiredReplicas(owner) - world.active.length);
  const deletes = cancelled ? [] : unfinishedDeletes(world);
  if (open.length === 0 && deletes.length === 0) return undefined;
  const creates = open.slice(0, wanted);
  const burns = open.slice(wanted);
  const why = `An earlier sync was interrupted: create ${creates.length} of the pods that it had named, burn ${burns.length} names, finish ${deletes.length} deletes.`;
  return { creates, burns, deletes, inherited: true, lookAgain: true, why: [why] };
}

/** Those that can still land: a pod that changed since is safe from a delete that named its version. */
function unfinishedDeletes({ intent, active }: ReplicasWorld) {
  const versions = new Map(active.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
  return (intent?.deletes ?? []).filter(({ uid, resourceVersion }) => {
    const current = versions.get(uid);
    return current !== undefined && (resourceVersion === undefined || resourceVersion === current);
  });
}
