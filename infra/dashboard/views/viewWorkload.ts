import { isRollingUpdate, resolveFenceposts } from '../../../lambdas/controllers/deployment/resolveFenceposts.ts';
import { REVISION, REVISION_HISTORY } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Bounds, ConditionView, RolloutState, WorkloadKind, WorkloadView } from './PageViews.ts';

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

type Counts = Pick<WorkloadView, 'desired' | 'updated' | 'total' | 'available'>;

interface Judged {
  readonly state: RolloutState;
  readonly says: string;
}

/** A Deployment as the page shows it. `replicaSets` are its own. Pure. */
export function viewDeployment(deployment: Deployment, replicaSets: readonly ReplicaSet[]): WorkloadView {
  const { spec, status } = deployment;
  const counts = {
    desired: spec?.replicas ?? 1,
    updated: status?.updatedReplicas ?? 0,
    total: status?.replicas ?? 0,
    available: status?.availableReplicas ?? 0,
  };
  return {
    ...identityOf('deployment', deployment, containersOf(deployment)),
    ...counts,
    ...decideDeploymentState(deployment, counts, replicaSets),
    isPaused: spec?.paused === true,
    revision: deployment.metadata.annotations?.[REVISION] ?? '',
    bounds: boundsOf(deployment),
    conditions: conditionsOf(status?.conditions),
  };
}

/** How many pods a rollout keeps to. With `Recreate` all old pods go before the first new one comes. Pure. */
export function boundsOf(deployment: Deployment): Bounds {
  const { ceiling, floor } = resolveFenceposts(deployment);
  return { ceiling, floor: isRollingUpdate(deployment) ? floor : 0 };
}

/** A StatefulSet as the page shows it. Pure. */
export function viewStatefulSet(set: StatefulSet): WorkloadView {
  const { spec, status } = set;
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  const counts = {
    desired: spec?.replicas ?? 1,
    updated: status?.updatedReplicas ?? 0,
    total: status?.replicas ?? 0,
    available: status?.availableReplicas ?? status?.readyReplicas ?? 0,
  };
  return {
    ...identityOf('statefulset', set, containersOf(set)),
    ...counts,
    ...decideState(set, counts, updatedByItself(type, counts.desired, rollingUpdate?.partition)),
    isPaused: false,
    revision: status?.updateRevision ?? '',
    conditions: conditionsOf(status?.conditions),
  };
}

/** How many pods a strategy updates: with `OnDelete` none, and none below the partition of a StatefulSet. */
function updatedByItself(type: string | undefined, desired: number, partition = 0): number {
  return type === 'OnDelete' ? 0 : Math.max(0, desired - partition);
}

/** A DaemonSet as the page shows it. Pure. */
export function viewDaemonSet(set: DaemonSet): WorkloadView {
  const { spec, status } = set;
  const counts = {
    desired: status?.desiredNumberScheduled ?? 0,
    updated: status?.updatedNumberScheduled ?? 0,
    total: status?.currentNumberScheduled ?? 0,
    available: status?.numberAvailable ?? 0,
  };
  return {
    ...identityOf('daemonset', set, containersOf(set)),
    ...counts,
    ...decideState(set, counts, updatedByItself(spec?.updateStrategy?.type, counts.desired)),
    isPaused: false,
    revision: String(set.metadata.generation ?? ''),
    conditions: conditionsOf(status?.conditions),
  };
}

/** The state of a Deployment's rollout, as `kubectl rollout status` judges it, with what that leaves out: paused, rolling back. Pure. */
export function decideDeploymentState(
  deployment: Deployment,
  counts: Counts,
  replicaSets: readonly ReplicaSet[],
): Judged {
  const { spec, status, metadata } = deployment;
  const conditions = status?.conditions ?? [];
  const judged = decideState(deployment, counts);
  if (judged.state === 'ending') return judged;
  if (spec?.paused === true) return { state: 'paused', says: `Paused: ${judged.says}` };
  if (!isObserved(deployment)) return judged;
  const failure = conditions.find(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True');
  if (failure) return { state: 'stuck', says: failure.message ?? failure.reason ?? 'Pods cannot be created.' };
  const late = conditions.find(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded');
  if (late) return { state: 'stuck', says: late.message ?? 'The progress deadline is exceeded.' };
  if (judged.state !== 'progressing') return judged;
  const isBack = replicaSets.some(
    ({ metadata: { annotations } }) =>
      annotations?.[REVISION_HISTORY] !== undefined &&
      annotations[REVISION] === metadata.annotations?.[REVISION] &&
      counts.updated < counts.total,
  );
  return isBack ? { state: 'rolling back', says: judged.says } : judged;
}

/** The state that the counts say. `mustUpdate`: so many pods get the newest template by themselves. Pure. */
function decideState(
  object: KubernetesObject & { readonly status?: object },
  counts: Counts,
  mustUpdate = counts.desired,
): Judged {
  const { desired, updated, total, available } = counts;
  if (object.metadata.deletionTimestamp !== undefined)
    return { state: 'ending', says: `It is being deleted; ${total} ${pods(total)} are left.` };
  if (!isObserved(object)) return { state: 'progressing', says: 'Its controller has not seen the last change yet.' };
  if (updated < mustUpdate)
    return { state: 'progressing', says: `${updated} of ${mustUpdate} ${pods(mustUpdate)} have the newest template.` };
  if (total > desired)
    return {
      state: 'progressing',
      says: `${total - desired} ${pods(total - desired)} too many ${total - desired === 1 ? 'is' : 'are'} still there.`,
    };
  if (available < desired)
    return { state: 'progressing', says: `${available} of ${desired} ${pods(desired)} are available.` };
  const old = desired - updated;
  if (old > 0)
    return {
      state: 'complete',
      says: `All ${desired} are available; ${old} ${old === 1 ? 'keeps' : 'keep'} an older template, as asked.`,
    };
  return { state: 'complete', says: desired === 0 ? 'It has no pods, as asked.' : `All ${desired} are available.` };
}

function isObserved({ metadata, ...rest }: KubernetesObject): boolean {
  const { observedGeneration = 0 } = (rest as { status?: { observedGeneration?: number } }).status ?? {};
  return observedGeneration >= (metadata.generation ?? 0);
}

/** The containers of a template, and then those that run before them: `kubectl set image` knows both. */
export function containersOf({ spec }: Deployment | StatefulSet | DaemonSet) {
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  return [...containers, ...initContainers];
}

function identityOf(
  kind: WorkloadKind,
  { metadata }: KubernetesObject,
  containers: readonly { readonly name: string; readonly image?: string }[],
) {
  const { namespace = '', name, uid } = metadata;
  return {
    id: `${kind}/${namespace}/${name}`,
    kind,
    namespace,
    name,
    uid,
    images: containers.map(({ image = '' }) => image),
    containers: containers.map((one) => one.name),
  };
}

function conditionsOf(
  conditions: readonly { type: string; status: string; reason?: string; message?: string }[] = [],
): readonly ConditionView[] {
  return conditions.map(({ type, status, reason = '', message = '' }) => ({
    type,
    status,
    reason,
    message,
    says: sayCondition(type, status, reason),
  }));
}

function pods(count: number): string {
  return count === 1 ? 'pod' : 'pods';
}

/** A condition in plain words; one that is not known keeps its own. Pure. */
function sayCondition(type: string, status: string, reason: string): string {
  const isTrue = status === 'True';
  if (type === 'Available') return isTrue ? 'Enough pods are available.' : 'Too few pods are available.';
  if (type === 'ReplicaFailure' && isTrue) return 'Pods could not be created or deleted.';
  return (type === 'Progressing' && PROGRESS[reason]) || `${type} is ${status}.`;
}
