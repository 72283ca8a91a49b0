import type { Pod } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { updateStatus } from '../updateStatus.ts';
import { calculateStatus } from './calculateStatus.ts';
import { type CommittedReplicas, commitReplicas } from './commitReplicas.ts';
import { type KnownPods, podsAfter } from './KnownPods.ts';
import { manageReplicas, needsRanking } from './manageReplicas.ts';
import { getIndirectlyRelatedPods, type ObservedReplicas, seenUids } from './observeReplicas.ts';
import { controlOf } from './PodControl.ts';
import { type ReplicaOwner, type ReplicaOwnerKind, selectorOf, templateOf } from './ReplicaOwner.ts';
import type { ReplicasPlan } from './ReplicasPlan.ts';

export interface BurstDeps {
  readonly events: EventRecorder;
  readonly ids: Ids;
  /** How many pods are created or deleted at a time at most. */
  readonly burstReplicas: number;
}

const NOTHING_SEEN: ReadonlySet<string> = new Set();

/** So many times a sync creates a burst of pods by what it has read and created itself, before it reads all of them again: they may be tens of thousands. */
const MOST_BURSTS = 10;

/** A decision, what became of it, and what the pods are afterwards. */
export interface Burst {
  readonly plan: ReplicasPlan;
  readonly committed: CommittedReplicas;
  readonly pods: KnownPods;
  readonly status: Awaited<ReturnType<typeof commitStatus>>['status'];
}

/** Decides and commits, and goes on while nothing but more pods is wanted, every request was answered, and nobody has changed the owner: its status is written on the condition of its version. */
export async function commitBursts(
  kind: ReplicaOwnerKind,
  deps: BurstDeps,
  from: { readonly observed: ObservedReplicas; readonly pods: KnownPods },
  context: SyncContext,
): Promise<readonly Burst[]> {
  const bursts: Burst[] = [];
  let { observed, pods } = from;
  let current = context;
  for (;;) {
    const plan = await observeAndManage(deps, observed, pods.active, current);
    const committed = await commit(kind, observed.owner, plan, current);
    const after = podsAfter(observed.owner, pods, committed, context.nowMs);
    const [{ owner, status }] = await Promise.all([
      commitStatus(kind, observed.owner, { before: pods, after }, committed, context),
      deps.events.record(committed.events, context.registry),
    ]);
    bursts.push({ plan, committed, pods: after, status });
    const goesOn = status === 'stored' && onlyLacksMore(plan, committed) && context.mayGoOn();
    if (!goesOn || bursts.length === MOST_BURSTS) return bursts;
    observed = { ...observed, owner };
    pods = after;
    const { intent: _, ...item } = context.item;
    current = { ...context, item };
  }
}

/** Whether the burst has created all that it planned, and there is more to create. */
function onlyLacksMore({ lookAgain, inherited, deletes }: ReplicasPlan, committed: CommittedReplicas): boolean {
  const { failure, settled, unfinished, mustReobserve } = committed;
  return lookAgain && !inherited && deletes.length === 0 && !failure && settled && !unfinished && !mustReobserve;
}

/** Reads the related pods if pods have to be chosen for deletion, then decides. */
async function observeAndManage(
  { ids, burstReplicas }: BurstDeps,
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

async function commitStatus(
  kind: ReplicaOwnerKind,
  owner: ReplicaOwner,
  { before, after }: { readonly before: KnownPods; readonly after: KnownPods },
  { failure, mustReobserve, leavingUids }: CommittedReplicas,
  { registry, nowMs }: SyncContext,
) {
  // The pods are not as they were listed. A status of them would let a Deployment count too few pods for this generation; the sync that follows at once writes the status.
  if (mustReobserve) return { owner, status: 'notTried' } as const;
  const { active, terminating, counts } = after;
  const said = { failure: failure?.message, activeBefore: before.active.length };
  const facts = { owner, kind, active, leavingUids, terminating, ...said, nowMs, counts };
  const written = await updateStatus<ReplicaOwner>(registry, kind.resource, owner, calculateStatus(facts));
  return { owner: written.object, status: written.status };
}
