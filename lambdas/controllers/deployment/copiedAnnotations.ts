import {
  AUTO_ROLLBACK,
  COMPLETED_REVISION,
  DESIRED_REPLICAS,
  GIVEN_UP,
  LAST_APPLIED,
  MAX_REPLICAS,
  REVISION,
  REVISION_HISTORY,
  ROLLBACK_TO,
} from '../../objects/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';

/** Annotations that mean something only on the object that has them; those of Kubernetes first, then ours. */
const NOT_COPIED = new Set([
  LAST_APPLIED,
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  ROLLBACK_TO,
  COMPLETED_REVISION,
  GIVEN_UP,
]);

type Annotations = Readonly<Record<string, string>>;

/** What the new ReplicaSet takes over from its Deployment, `kubernetes.io/change-cause` among it. Pure. */
export function copiedAnnotations(deployment: Deployment): Annotations {
  return pick(deployment.metadata.annotations, (key) => !NOT_COPIED.has(key));
}

/**
 * The Deployment's annotations once it is rolled back to this ReplicaSet: the ReplicaSet's, so that its change cause comes back with its template, and the
 * Deployment's own of those that are never copied. Whether rollbacks are automatic is no matter of a revision, so that stays too. Pure.
 */
export function annotationsAfterRollback(deployment: Deployment, replicaSet: ReplicaSet): Annotations {
  return {
    ...pick(replicaSet.metadata.annotations, (key) => !NOT_COPIED.has(key) && key !== AUTO_ROLLBACK),
    ...pick(deployment.metadata.annotations, (key) => NOT_COPIED.has(key) || key === AUTO_ROLLBACK),
  };
}

function pick(annotations: Annotations | undefined, wanted: (key: string) => boolean): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => wanted(key)));
}
