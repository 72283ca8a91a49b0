import type { ReplicaSet, ReplicationController } from '../../../lambdas/objects/kinds.ts';
import { isPodReady } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';
import { canRun } from './canRun.ts';

/** Each of these has exactly the pods that it wants, and its status says so. */
export function unmetReplicas(
  world: World,
  owners: readonly (ReplicaSet | ReplicationController)[],
): string | undefined {
  for (const owner of owners) {
    const replicas = owner.spec?.replicas ?? 1;
    const active = world.activePodsOf(owner.metadata.uid);
    const { replicas: seen = 0, readyReplicas = 0, availableReplicas = 0 } = owner.status ?? {};
    if (active.length !== replicas) return `${nameOf(owner)} has ${active.length} pods where it wants ${replicas}`;
    // Pod by pod, since those that were adopted may be of another template. One that has no node waits for room rightly: see `waitingPod`.
    const ready = active.filter(({ metadata, spec }) => spec?.nodeName && canRun({ metadata, spec })).length;
    if (seen !== replicas || readyReplicas !== ready || availableReplicas !== ready)
      return `the status of ${nameOf(owner)} is wrong: ${seen}, ${readyReplicas}, ${availableReplicas} of ${replicas}`;
    if (active.filter(isPodReady).length !== ready) return `${nameOf(owner)} has pods that are not ready`;
  }
  return undefined;
}
