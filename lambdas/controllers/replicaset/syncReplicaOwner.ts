import type { Pod } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { conclude } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { reasonInWords } from './replicaSetReasons.ts';
import { updateStatus } from '../updateStatus.ts';
import { calculateStatus, countReplicas, nextAvailableInMs, type ReplicaCounts } from './calculateStatus.ts';
import { claimPods } from './claimPods.ts';
import { type CommittedReplicas, commitReplicas } from './commitReplicas.ts';
import { forgetOwner } from './forgetOwner.ts';
import { manageReplicas, needsRanking } from './manageReplicas.ts';
import type { ReplicasPlan } from './ReplicasPlan.ts';
import { getIndirectlyRelatedPods, type ObservedReplicas, observeReplicas, seenUids } from './observeReplicas.ts';
import { controlOf } from './PodControl.ts';
import type { PodTallies, PodTally } from './PodTallies.ts';
import { desiredReplicas, type ReplicaOwner, type ReplicaOwnerKind, selectorOf, templateOf } from './ReplicaOwner.ts';

const NOTHING_SEEN: ReadonlySet<string> = new Set();

export interface SyncReplicaOwnerDeps {
  readonly events: EventRecorder;
  readonly ids: Ids;
  readonly burstReplicas: number;
  readonly tallies: PodTallies;
}

/**
 * The engine that `syncReplicaSet` and `syncReplicationController` share. Its steps: observe, claim pods, decide (`manageReplicas`), record the intent and commit, write the status. The
 * status is written even when creating or deleting failed, and says so. Then the failure is thrown, so that the key is retried with backoff. It is not written if the pods have changed since they were listed.
 */
export async function syncReplicaOwner(
  kind: ReplicaOwnerKind,
  deps: SyncReplicaOwnerDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const observed = await observeReplicas(context.registry, kind, key);
  if (!observed) {
    deps.tallies.forget(key);
    return await forgetOwner(key, context);
  }
  const tally = deps.tallies.tally(kind, observed.owner, observed.owned);
  const { claimed, writes: claims } = await claimPods(context.registry, kind, observed, tally);
  const plan = await observeAndManage(deps, observed, claimed, context);
  const committed = await commit(kind, observed.owner, plan, context);
  const [{ active, status }] = await Promise.all([
    commitStatus(kind, observed.owner, { tally, claimed }, committed, context),
    deps.events.record(committed.events, context.registry),
  ]);
  if (committed.failure) throw committed.failure;
  return {
    outcome: conclude({
      mustReobserve: status === 'conflict' || committed.mustReobserve,
      isCutShort: plan.lookAgain || committed.unfinished || status === 'notTried',
      delaysMs: [nextAvailableInMs(observed.owner, active, context.nowMs)],
    }),
    why: plan.why.map(reasonInWords),
    observed: { desired: desiredReplicas(observed.owner), active: claimed.length },
    writes: [...claims, ...committed.writes, ...(status === 'stored' ? [statusWrite(kind, key)] : [])],
  };
}

/** Reads the related pods if pods have to be chosen for deletion, then decides. */
async function observeAndManage(
  { ids, burstReplicas }: SyncReplicaOwnerDeps,
  observed: ObservedReplicas,
  active: readonly Pod[],
  { registry, item, nowMs }: SyncContext,
): Promise<ReplicasPlan> {
  const { owner } = observed;
  const related = needsRanking(owner, active.length) ? await getIndirectlyRelatedPods(registry, owner, active) : [];
  const { intent } = item;
  // The UIDs of thousands of pods are collected only for an intent that has to be settled.
  const world = { owner, active, related, seenUids: intent ? seenUids(observed) : NOTHING_SEEN, intent };
  return manageReplicas(world, { burstReplicas, intentId: ids.uid(), nowMs });
}

async function commit(
  kind: ReplicaOwnerKind,
  owner: ReplicaOwner,
  plan: ReplicasPlan,
  context: SyncContext,
): Promise<CommittedReplicas> {
  if (plan.record) await context.recordIntent(plan.record);
  const control = { ...controlOf(owner, selectorOf(kind, owner), context), templateOf: () => templateOf(owner) };
  const committed = await commitReplicas(control, plan);
  const isOver = committed.settled && !committed.unfinished;
  // An intent that is not settled stays for the next sync: a request whose answer was lost may still be under way.
  if (isOver && (plan.record ?? context.item.intent)) await context.recordIntent(undefined);
  return committed;
}

/** The owner's pods when they were listed, and those that it owns after its claims. */
interface ClaimedPods {
  readonly tally: PodTally;
  readonly claimed: readonly Pod[];
}

/** The counts after this sync, if they follow from the tally; `undefined` where each pod has to be looked at. */
function countsAfter(
  owner: ReplicaOwner,
  { tally, claimed }: ClaimedPods,
  { created, deletedUids, leavingUids }: CommittedReplicas,
  nowMs: number,
): ReplicaCounts | undefined {
  const isTallied = claimed.length === tally.kept.length && claimed.every((pod, index) => pod === tally.kept[index]);
  const isReadyAvailable = (owner.spec?.minReadySeconds ?? 0) === 0;
  if (!isTallied || !isReadyAvailable || deletedUids.size > 0 || leavingUids.size > 0) return undefined;
  const added = countReplicas({ owner, active: created, leavingUids, nowMs });
  return {
    replicas: tally.kept.length + added.replicas,
    fullyLabeledReplicas: tally.fullyLabeled + added.fullyLabeledReplicas,
    readyReplicas: tally.ready + added.readyReplicas,
    availableReplicas: tally.ready + added.availableReplicas,
  };
}

async function commitStatus(
  kind: ReplicaOwnerKind,
  owner: ReplicaOwner,
  pods: ClaimedPods,
  committed: CommittedReplicas,
  { registry, nowMs }: SyncContext,
) {
  const { tally, claimed } = pods;
  // The pods are not as they were listed. A status of them would let a Deployment count too few pods for this generation; the sync that follows at once writes the status.
  if (committed.mustReobserve) return { active: claimed, status: 'notTried' } as const;
  const { created, deletedUids } = committed;
  const kept = deletedUids.size === 0 ? claimed : claimed.filter(({ metadata }) => !deletedUids.has(metadata.uid));
  const active = created.length === 0 ? kept : [...kept, ...created];
  const terminating = tally.terminating + committed.terminating;
  const failure = committed.failure?.message;
  const { leavingUids } = committed;
  const counts = countsAfter(owner, pods, committed, nowMs);
  const facts = { owner, kind, active, leavingUids, terminating, activeBefore: claimed.length, failure, nowMs, counts };
  const { status } = await updateStatus<ReplicaOwner>(registry, kind.resource, owner, calculateStatus(facts));
  return { active, status };
}

function statusWrite({ resource }: ReplicaOwnerKind, { namespace, name }: WorkKey): string {
  return `status of ${resource} ${namespace}/${name}`;
}
