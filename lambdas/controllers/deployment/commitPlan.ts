import type { ApiError } from '../../objects/ApiError.ts';
import { withCondition } from '../../objects/deploymentConditions.ts';
import { goQuote } from '../../objects/goQuote.ts';
import { controllerOf, type NewObject } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual } from '../../objects/podTemplateHash.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import type { EventText, Plan, PlannedWrite } from './Plan.ts';
import { progressDeadlineMs, progressing } from './progress.ts';
import { desiredReplicas } from './replicaCounts.ts';

export interface CommitDeps {
  readonly registry: GuardedRegistry;
  /** For events. */
  readonly late: Pick<SyncContext, 'registry'>;
  readonly events: EventRecorder;
  readonly nowMs: number;
}

/** `done`: all was written. `conflict`: something had changed, and what was to follow was not written. */
export interface Committed {
  readonly status: 'done' | 'conflict';
  readonly writes: readonly string[];
  /** What was learned while writing. */
  readonly why: readonly string[];
}

type WriteResult =
  | { readonly status: 'written'; readonly phrase: string }
  | { readonly status: 'conflict' | 'end'; readonly why: string };

/**
 * Makes a plan's writes, in order, each on the condition that what it starts from is still what is stored, and tells each one's events once it is stored.
 * Throws what a write was refused with, unless that is a conflict, or means that the new ReplicaSet's name is taken or that the namespace is going.
 */
export async function commitPlan(plan: Plan, deps: CommitDeps): Promise<Committed> {
  // The next write does not wait for the events of the last, but the sync does for all of them.
  const told = [tell(deps, plan.deployment, plan.events)];
  try {
    return await commitWrites(plan, deps, told);
  } finally {
    await Promise.all(told);
  }
}

async function commitWrites(plan: Plan, deps: CommitDeps, told: Promise<void>[]): Promise<Committed> {
  const writes: string[] = [];
  for (const planned of plan.writes) {
    const result = await commitWrite(plan.deployment, planned, deps);
    if (result.status !== 'written') {
      return { status: result.status === 'end' ? 'done' : 'conflict', writes, why: [result.why] };
    }
    writes.push(result.phrase);
    if ('events' in planned) told.push(tell(deps, plan.deployment, planned.events));
  }
  return { status: 'done', writes, why: [] };
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
      return written(outcome, `${phrase} replicasets.apps ${placeOf(to)}${phrase === 'scale' ? ` ${sizes}` : ''}`);
    }
    case 'deleteReplicaSet': {
      const { namespace = '', name, uid, resourceVersion } = planned.replicaSet.metadata;
      const key = { resource: 'replicasets.apps', namespace, name };
      // One that was scaled up meanwhile must stay, hence the version.
      const preconditions = { uid, resourceVersion };
      const outcome = await registry.delete(key, {
        preconditions,
        propagationPolicy: 'Background',
        from: planned.replicaSet,
      });
      const phrase = `delete replicasets.apps ${namespace}/${name}`;
      if (outcome.status !== 'refused' || outcome.error.reason === 'NotFound') return { status: 'written', phrase };
      return written(outcome, phrase);
    }
    case 'updateDeployment': {
      const outcome = await registry.update<Deployment>('deployments.apps', planned.to, { from: deployment });
      return written(outcome, `update deployments.apps ${placeOf(deployment)}`);
    }
    case 'updateStatus': {
      const options = { from: deployment, subresource: 'status' } as const;
      const outcome = await registry.update<Deployment>('deployments.apps', planned.to, options);
      return written(outcome, `update the status of deployments.apps ${placeOf(deployment)}`);
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
  return { status: 'conflict', why: `could not ${phrase}: ${error.message}` };
}

async function createReplicaSet(deployment: Deployment, object: NewObject, deps: CommitDeps): Promise<WriteResult> {
  const { namespace = '' } = deployment.metadata;
  const name = object.metadata.name ?? '';
  const outcome = await deps.registry.create<ReplicaSet>('replicasets.apps', object);
  if (outcome.status === 'stored') return { status: 'written', phrase: `create replicasets.apps ${namespace}/${name}` };
  const { error } = outcome;
  if (error.reason === 'AlreadyExists') return resolveTakenName(deployment, name, deps);
  if (error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')) {
    return { status: 'end', why: `nothing can be created any more: ${error.message}` };
  }
  await tellCreateError(deployment, name, error, deps);
  throw error;
}

/**
 * The name is taken. By our own ReplicaSet of this very template, created since we looked: the next look finds it. By any other: two templates have one
 * hash, or a Deployment of this name that is gone left it, so the collision count goes up, which gives the next attempt another name.
 */
async function resolveTakenName(deployment: Deployment, name: string, deps: CommitDeps): Promise<WriteResult> {
  const { namespace = '', uid } = deployment.metadata;
  const taken = await deps.registry.get<ReplicaSet>({ resource: 'replicasets.apps', namespace, name });
  const ours = taken && controllerOf(taken)?.uid === uid;
  if (!taken || (ours && templatesEqual(taken.spec?.template, deployment.spec?.template))) {
    return { status: 'conflict', why: `replica set ${name} was just ${taken ? 'created' : 'deleted'} by someone else` };
  }
  const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
  await writeStatus(deployment, { ...deployment.status, collisionCount }, deps);
  return {
    status: 'conflict',
    why: `the name ${name} is taken, so the hash is varied by collision count ${collisionCount}`,
  };
}

/** Says in a condition and an event why there is no new ReplicaSet; the sync fails with the error itself, so a status that cannot be written is no matter. */
async function tellCreateError(deployment: Deployment, name: string, error: ApiError, deps: CommitDeps) {
  const message = `Failed to create new replica set ${goQuote(name)}: ${error.message}`;
  const reason = 'ReplicaSetCreateError';
  if (progressDeadlineMs(deployment) !== undefined) {
    const before = deployment.status?.conditions ?? [];
    const conditions = withCondition(before, progressing('False', reason, message), formatTime(deps.nowMs));
    if (conditions !== before)
      await writeStatus(deployment, { ...deployment.status, conditions: [...conditions] }, deps);
  }
  await tell(deps, deployment, [{ type: 'Warning', reason, message }]);
}

/** A conflict is for the next look. */
async function writeStatus(deployment: Deployment, status: NonNullable<Deployment['status']>, deps: CommitDeps) {
  const options = { from: deployment, subresource: 'status' } as const;
  await deps.registry.update<Deployment>('deployments.apps', { ...deployment, status }, options);
}

async function tell({ events, late }: CommitDeps, regarding: Deployment, texts: readonly EventText[]): Promise<void> {
  if (texts.length > 0)
    await events.record(
      texts.map((text) => ({ regarding, ...text })),
      late.registry,
    );
}

function placeOf({ metadata }: Deployment | ReplicaSet): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
