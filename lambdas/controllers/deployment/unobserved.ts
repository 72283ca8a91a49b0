import { isObserved } from './replicaCounts.ts';
import { allReplicaSets, type Rollout } from './Rollout.ts';

/**
 * What a step must wait for: ReplicaSets whose status does not tell of their spec yet. Kubernetes goes on and bounds the sum of specs; we bound pods. Say one goes
 * from 3 to 5 and back to 3 while its status still tells of the first 3: five pods may exist, and neither number says so. Sentences; none if all is seen.
 */
export function unobserved(rollout: Rollout): readonly string[] {
  return allReplicaSets(rollout)
    .filter((replicaSet) => !isObserved(replicaSet))
    .map(({ metadata, status }) => {
      const observed = status?.observedGeneration ?? 0;
      return `waits until replica set ${metadata.name} has observed its generation ${metadata.generation ?? 0} (so far ${observed})`;
    });
}
