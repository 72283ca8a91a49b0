import type { ApiError } from '../../objects/ApiError.ts';
import { withCondition } from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { controllerOf, namespacedName, type NewObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/pods/podTemplateHash.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Committed } from '../Committed.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import type { Reason } from './deploymentReasons.ts';
import { PROGRESSING, progressDeadlineMs } from './assessProgress.ts';
import type { EventText, Plan, PlannedWrite } from './Plan.ts';
import { desiredReplicas } from './replicaSets.ts';

export interface CommitDeps {
  readonly registry: GuardedRegistry;
  readonly events: EventRecorder;
  readonly nowMs: number;
}

/** What became of a plan. After something that had changed the other writes were not begun. */
export interface CommittedPlan extends Pick<Committed, 'writes' | 'mustReobserve'> {
  /** What was learned while writing. */
  readonly why: readonly Reason[];
}

type WriteResult =
  | { readonly status: 'written'; readonly phrase: string }
  | { readonly status: 'conflict' | 'end'; readonly why: Reason };

/**
 * Makes a plan's writes in order, each on the condition that its starting point is still what is stored, and records the events of each after it is stored. Throws the error of
 * a refused write, except a conflict, a taken name of the new ReplicaSet, and a namespace that is being terminated.
 */
export async function commitPlan(plan: Plan, deps: CommitDeps): Promise<CommittedPlan> {
  // A write does not wait for the events of the one before, but the sync waits for all events.
  const recording = [recordEvents(deps, plan.deployment, plan.events)];
  try {
    return await commitWrites(plan, deps, recording);
  } finally {
    await Promise.all(recording);
  }
}

async function commitWrites(plan: Plan, deps: CommitDeps, recording: Promise<void>[]): Promise<CommittedPlan> {
  const writes: string[] = [];
  for (const planned of plan.writes) {
    const result = await commitWrite(plan.deployment, planned, deps);
    if (result.status !== 'written') {
      return { mustReobserve: result.status === 'conflict', writes, why: [result.why] };
    }
    writes.push(result.phrase);
    if ('events' in planned) recording.push(recordEvents(deps, plan.deployment, planned.events));
  }
  return { mustReobserve: false, writes, why: [] };
}

async function commitWrite(deployment: Deployment, planned: PlannedWrite, deps: CommitDeps): Promise<WriteResult> {
  const { registry } = deps;
  switch (planned.write) {
    case 'createReplicaSet':
      return createReplicaSet(deployment, planned.replicaSet, deps);
    case 'updateReplicaSet': {
      const { from, to } = planned;
      const outcome = await registry.update<ReplicaSet>('replicasets.apps', to, { from });
      const sizes = `from ${desiredReplicas(from)} to ${desiredReplicas(to)}`;
      const phrase = desiredReplicas(from) === desiredReplicas(to) ? 'update' : 'scale';
      return written(
        outcome,
        `${phrase} replicasets.apps ${namespacedName(to)}${phrase === 'scale' ? ` ${sizes}` : ''}`,
      );
    }
    case 'deleteReplicaSet':
      return deleteReplicaSet(planned.replicaSet, deps);
    case 'updateDeployment': {
      const outcome = await registry.update<Deployment>('deployments.apps', planned.to, { from: deployment });
      return written(outcome, `update deployments.apps ${namespacedName(deployment)}`);
    }
    case 'updateStatus': {
      const options = { from: deployment, subresource: 'status' } as const;
      const outcome = await registry.update<Deployment>('deployments.apps', planned.to, options);
      return written(outcome, `update the status of deployments.apps ${namespacedName(deployment)}`);
    }
  }
}

function written(
  outcome: { readonly status: 'stored' } | { readonly status: 'refused'; readonly error: ApiError },
  phrase: string,
): WriteResult {
  if (outcome.status === 'stored') return { status: 'written', phrase };
  const { error } = outcome;
  if (error.reason !== 'Conflict' && error.reason !== 'NotFound') throw error;
  return { status: 'conflict', why: { reason: 'writeConflict', write: phrase, message: error.message } };
}

async function deleteReplicaSet(replicaSet: ReplicaSet, { registry }: CommitDeps): Promise<WriteResult> {
  const { namespace = '', name, uid, resourceVersion } = replicaSet.metadata;
  const outcome = await registry.delete(
    { resource: 'replicasets.apps', namespace, name },
    // With the version, since a ReplicaSet that was scaled up in the meantime must stay.
    { preconditions: { uid, resourceVersion }, propagationPolicy: 'Background', from: replicaSet },
  );
  const phrase = `delete replicasets.apps ${namespace}/${name}`;
  if (outcome.status !== 'refused' || outcome.error.reason === 'NotFound') return { status: 'written', phrase };
  return written(outcome, phrase);
}

async function createReplicaSet(deployment: Deployment, object: NewObject, deps: CommitDeps): Promise<WriteResult> {
  const { namespace = '' } = deployment.metadata;
  const name = object.metadata.name ?? '';
  const outcome = await deps.registry.create<ReplicaSet>('replicasets.apps', object);
  if (outcome.status === 'stored') return { status: 'written', phrase: `create replicasets.apps ${namespace}/${name}` };
  const { error } = outcome;
  if (error.reason === 'AlreadyExists') return resolveTakenName(deployment, name, deps);
  if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')) {
    return { status: 'end', why: { reason: 'namespaceTerminating', message: error.message } };
  }
  await reportCreateError(deployment, name, error, deps);
  throw error;
}

/**
 * The new ReplicaSet's name is taken. If the Deployment owns a ReplicaSet of that name with this template, it was created since the observation, and the next sync finds it. Any
 * other one has the same hash by chance, or belonged to an earlier Deployment of this name. Then the collision count is raised, so that the next attempt uses another name.
 */
async function resolveTakenName(deployment: Deployment, name: string, deps: CommitDeps): Promise<WriteResult> {
  const { namespace = '', uid } = deployment.metadata;
  const taken = await deps.registry.get<ReplicaSet>({ resource: 'replicasets.apps', namespace, name });
  const ours = taken && controllerOf(taken)?.uid === uid;
  if (!taken || (ours && templatesEqual(taken.spec?.template, deployment.spec?.template))) {
    const change = taken ? 'created' : 'deleted';
    return { status: 'conflict', why: { reason: 'replicaSetJustChanged', name, change } };
  }
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  await writeStatus(deployment, { ...deployment.status, collisionCount }, deps);
  return { status: 'conflict', why: { reason: 'nameTaken', name, collisionCount } };
}

/** Reports in a condition and in an event why there is no new ReplicaSet. The sync fails with the error itself, so it does not matter if the status cannot be written. */
async function reportCreateError(deployment: Deployment, name: string, error: ApiError, deps: CommitDeps) {
  const message = `Failed to create new replica set ${goQuote(name)}: ${error.message}`;
  const reason = 'ReplicaSetCreateError';
  if (progressDeadlineMs(deployment) !== undefined) {
    const before = deployment.status?.conditions ?? [];
    const failed = { type: PROGRESSING, status: 'False', reason, message } as const;
    const conditions = withCondition(before, failed, formatTime(deps.nowMs));
    if (conditions !== before)
      await writeStatus(deployment, { ...deployment.status, conditions: [...conditions] }, deps);
  }
  await recordEvents(deps, deployment, [{ type: 'Warning', reason, message }]);
}

/** A conflict is left to the next sync. */
async function writeStatus(deployment: Deployment, status: NonNullable<Deployment['status']>, deps: CommitDeps) {
  const options = { from: deployment, subresource: 'status' } as const;
  await deps.registry.update<Deployment>('deployments.apps', { ...deployment, status }, options);
}

async function recordEvents(deps: CommitDeps, regarding: Deployment, texts: readonly EventText[]): Promise<void> {
  if (texts.length === 0) return;
  const events = texts.map((text) => ({ regarding, ...text }));
  await deps.events.record(events, deps.registry);
}
