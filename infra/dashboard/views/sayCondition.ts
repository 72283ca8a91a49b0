/** What the reasons of a Deployment's `Progressing` mean. */
const PROGRESS: Readonly<Record<string, string>> = {
  NewReplicaSetCreated: 'The ReplicaSet of the newest template was created.',
  FoundNewReplicaSet: 'The newest template has a ReplicaSet already.',
  ReplicaSetUpdated: 'Pods are being replaced.',
  NewReplicaSetAvailable: 'The newest template is rolled out.',
  ProgressDeadlineExceeded: 'Nothing has moved for longer than the progress deadline.',
  DeploymentPaused: 'The rollout is paused.',
  DeploymentResumed: 'The rollout goes on after a pause.',
  ReplicaSetCreateError: 'The ReplicaSet of the newest template could not be created.',
};

/** A condition in plain words; one that is not known keeps its own. Pure. */
export function sayCondition(type: string, status: string, reason: string): string {
  const isTrue = status === 'True';
  if (type === 'Available') return isTrue ? 'Enough pods are available.' : 'Too few pods are available.';
  if (type === 'ReplicaFailure' && isTrue) return 'Pods could not be created or deleted.';
  return (type === 'Progressing' && PROGRESS[reason]) || `${type} is ${status}.`;
}
