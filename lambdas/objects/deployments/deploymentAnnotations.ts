/** The annotations in which the Deployment controller keeps its memory, on Deployments and their ReplicaSets. */

/** The number of the rollout, one more for each template that becomes the current one. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** The numbers that a ReplicaSet had before it was rolled back to, joined by commas. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** The Deployment's `spec.replicas` when the ReplicaSet was last scaled. If it differs now, the Deployment was scaled since. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** The Deployment's replicas and surge when the ReplicaSet was last scaled: the total that its share is a part of. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
/** Asks for a rollback to the revision of this number, as the former field `spec.rollbackTo` did. 0 means the last revision before the current one. */
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';
/** Written by `kubectl apply` on the object that it applied; meaningless on any other. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** On a Deployment: `"true"` asks for automatic rollback. */
export const AUTO_ROLLBACK = 'driftless.dev/auto-rollback';
/** On a ReplicaSet: the revision that it had when a rollout to it was last complete. Kept only if automatic rollback is on. */
export const COMPLETED_REVISION = 'driftless.dev/completed-revision';
/** On a Deployment: the template that automatic rollback gave up on, and the one that it went back to (JSON, see rollbackMemory). */
export const GIVEN_UP = 'driftless.dev/given-up';
