import type { Pod } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { commitClaims } from '../claim/commitClaims.ts';
import { decideClaims } from '../claim/decideClaims.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { cancelIntent } from './cancelIntent.ts';
import { type CommittedReplicas, commitReplicas } from './commitReplicas.ts';
import { type CommittedStatus, commitReplicaStatus } from './commitReplicaStatus.ts';
import { decideReplicas, needsRanking, type ReplicasPlan } from './decideReplicas.ts';
import { decideReplicaStatus, nextAvailableInMs } from './decideReplicaStatus.ts';
import {
  activePods,
  type ObservedReplicas,
  observeRelatedPods,
  observeReplicas,
  seenUids,
  terminatingPods,
} from './observeReplicas.ts';
import { desiredReplicas, type ReplicaOwner, type ReplicaOwnerKind } from './ReplicaOwner.ts';
import { selects } from './selects.ts';

export interface ReplicasSettings {
  readonly events: EventRecorder;
  readonly ids: Ids;
  readonly kind: ReplicaOwnerKind;
  readonly burstReplicas: number;
}

/**
 * One key of the engine, Kubernetes' `syncReplicaSet`: claims pods, creates or deletes what the difference asks for, writes the status. The status is written also
 * when creating or deleting failed, and tells so; then the failure is thrown, and the key tried again with backoff.
 */
export async function syncReplicas(
  settings: ReplicasSettings,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const observed = await observeReplicas(context.registry, settings.kind, key);
  if (!observed) return await forget(key, context);
  const { claimed, writes: claims } = await claimPods(settings.kind, key, observed, context.registry);
  const plan = await planReplicas(settings, observed, claimed, context);
  const committed = await commit(observed.owner, plan, context);
  const [{ active, status }] = await Promise.all([
    reportStatus(settings.kind, observed, claimed, committed, context),
    settings.events.record(committed.events, context.late.registry),
  ]);
  if (committed.failure) throw committed.failure;
  return {
    outcome: outcomeOf(observed.owner, active, status, plan, committed, context.nowMs),
    why: plan.why,
    observed: { desired: desiredReplicas(observed.owner), active: claimed.length },
    writes: [...claims, ...committed.writes, ...(status === 'stored' ? [statusWrite(settings, key)] : [])],
  };
}

/** The owner is gone: so are the pods that it wanted, but for those whose creation is still on its way. */
async function forget(key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const why = [`${key.namespace}/${key.name} is gone.`];
  if (context.item.intent) {
    await cancelIntent(context.late.objectStore, key, context.item.intent);
    await context.recordIntent(undefined);
    why.push('The pods that it was about to create were burned.');
  }
  return { outcome: { status: 'done' }, why, writes: [] };
}

async function claimPods(
  kind: ReplicaOwnerKind,
  { namespace, name }: WorkKey,
  observed: ObservedReplicas,
  registry: GuardedRegistry,
) {
  const claimant = { object: observed.owner, matches: selects(kind, observed.owner) };
  const claims = decideClaims(claimant, activePods(observed));
  return await commitClaims(claims, {
    registry,
    claimant,
    claimantKey: { resource: kind.resource, namespace, name },
    resource: 'pods',
  });
}

async function planReplicas(
  { ids, burstReplicas }: ReplicasSettings,
  observed: ObservedReplicas,
  active: readonly Pod[],
  { registry, item, nowMs }: SyncContext,
): Promise<ReplicasPlan> {
  const { owner } = observed;
  const related = needsRanking(owner, active.length) ? await observeRelatedPods(registry, owner) : [];
  const world = { owner, active, related, seenUids: seenUids(observed), intent: item.intent };
  return decideReplicas(world, { burstReplicas, intentId: ids.uid(), nowMs });
}

async function commit(owner: ReplicaOwner, plan: ReplicasPlan, context: SyncContext): Promise<CommittedReplicas> {
  if (plan.record) await context.recordIntent(plan.record);
  const { registry, objectStore } = context;
  const committed = await commitReplicas({ registry, objectStore, owner }, plan);
  const isOver = committed.settled && !committed.unfinished;
  // What is not settled is the next holder's to settle: a request whose answer was lost may still be under way.
  if (isOver && (plan.record ?? context.item.intent)) await context.recordIntent(undefined);
  return committed;
}

async function reportStatus(
  kind: ReplicaOwnerKind,
  observed: ObservedReplicas,
  claimed: readonly Pod[],
  committed: CommittedReplicas,
  { late, nowMs }: SyncContext,
) {
  const { owner } = observed;
  const kept = claimed.filter(({ metadata }) => !committed.deletedUids.has(metadata.uid));
  const active = [...kept, ...committed.created];
  const matches = selects(kind, owner);
  const terminating = terminatingPods(observed).filter(matches).length + committed.terminating;
  const failure = committed.failure?.message;
  const facts = { owner, kind, active, terminating, activeBefore: claimed.length, failure, nowMs };
  const status = await commitReplicaStatus(late.registry, kind, owner, decideReplicaStatus(facts));
  return { active, status };
}

function outcomeOf(
  owner: ReplicaOwner,
  active: readonly Pod[],
  status: CommittedStatus,
  plan: ReplicasPlan,
  committed: CommittedReplicas,
  nowMs: number,
): SyncOutcome {
  if (status === 'conflict' || committed.surprised) return { status: 'conflict' };
  if (plan.lookAgain || committed.unfinished || status === 'notTried') return { status: 'requeueAfter', delayMs: 0 };
  const delayMs = nextAvailableInMs(owner, active, nowMs);
  return delayMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs };
}

function statusWrite({ kind }: ReplicasSettings, { namespace, name }: WorkKey): string {
  return `status of ${kind.resource} ${namespace}/${name}`;
}
