/** The annotations by which the Deployment controller remembers, on Deployments and their ReplicaSets. */

/** The rollout's number, counted up with each template that becomes the current one. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** Numbers that this ReplicaSet had before it was rolled back to, joined by commas. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** The Deployment's `spec.replicas` when the ReplicaSet was last scaled: where it differs, the Deployment was scaled since. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** Desired replicas and surge when the ReplicaSet was last scaled: what its share is a share of. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
/** `spec.rollbackTo.revision` of extensions/v1beta1 and apps/v1beta1, as apps/v1 stores it. 0 is the last revision before the current one. */
export const ROLLBACK_TO = 'deprecated.deployment.rollback.to';
/** What `kubectl apply` remembers on the object that it applied; of no meaning on any other. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** On a Deployment: `"true"` asks for automatic rollback. */
export const AUTO_ROLLBACK = 'driftless.dev/auto-rollback';
/** On a ReplicaSet: the revision that it had when a rollout to it was last complete. Kept only where automatic rollback is on. */
export const COMPLETED_REVISION = 'driftless.dev/completed-revision';
/** On a Deployment: which template automatic rollback gave up on, and what it went back to (JSON, see autoRollback). */
export const GIVEN_UP = 'driftless.dev/given-up';
