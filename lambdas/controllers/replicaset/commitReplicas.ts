import type { Pod } from '../../objects/kinds.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Committed } from '../Committed.ts';
import type { GuardedObjectStore } from '../GuardedWriters.ts';
import type { ReplicasPlan } from './ReplicasPlan.ts';
import { type PlannedPod, plannedPods } from './plannedPods.ts';
import { burnName, type CreateResult, createPod, deletePod, type DeleteResult, type PodControl } from './PodControl.ts';
import { inTurn, slowStartBatch } from './slowStartBatch.ts';

/** What became of the pods of a plan. `settled` speaks of the requests of the plan, and of the intent that it settles. */
export interface CommittedReplicas extends Committed {
  readonly created: readonly Pod[];
  readonly deletedUids: ReadonlySet<string>;
  /** Pods whose delete was not answered, or not tried: they may be gone already, and the next sync deletes them if they are not. */
  readonly leavingUids: ReadonlySet<string>;
  /** How many of the deleted pods are still terminating. */
  readonly terminating: number;
}

/** Burns names, then creates pods in slow-start batches, then deletes pods. What the sync's deadline prevents is left to the next sync. */
export async function commitReplicas(
  control: PodControl,
  plan: Pick<ReplicasPlan, 'burns' | 'creates' | 'deletes' | 'inherited'>,
): Promise<CommittedReplicas> {
  const burned = await burnAll(control, plan.burns);
  // A create of the earlier holder landed after the pods were listed: it must be counted before another pod is created.
  if (!burned.settled || burned.mustReobserve) return collect([], [], { ...burned, unfinished: false });
  const results = await slowStartBatch(plan.creates, (planned) => createPod(control, planned), endsCreating);
  const leftovers = plan.inherited ? await burnAll(control, notCreated(plan.creates, results)) : NOTHING_BURNED;
  const deletes = await inTurn(plan.deletes, (victim) => deletePod(control, victim));
  const tried = results.filter(({ status }) => status !== 'notTried');
  const isCutShort = tried.length < plan.creates.length && !tried.some(hasFailed);
  const unfinished = isCutShort || deletes.some(({ status }) => status === 'notTried');
  return collect(results, deletes, { ...leftovers, unfinished });
}

/**
 * Burns every name of an intent whose owner is gone, so that no create that is still under way makes a pod that nobody wants. Pods that exist already are left to the garbage
 * collector.
 */
export async function cancelIntent(objectStore: GuardedObjectStore, owner: WorkKey, intent: Intent): Promise<void> {
  const { namespace } = owner;
  await Promise.all(
    plannedPods(intent, owner.name).map(({ name, uid }) =>
      objectStore.burn({ resource: 'pods', namespace, name }, uid),
    ),
  );
}

type Burned = Pick<CommittedReplicas, 'settled' | 'mustReobserve'>;

const NOTHING_BURNED: Burned = { settled: true, mustReobserve: false };

async function burnAll(control: PodControl, names: readonly PlannedPod[]): Promise<Burned> {
  const outcomes = await Promise.all(names.map((name) => burnName(control, name)));
  const landed = outcomes.includes('landed');
  return { settled: !landed && !outcomes.includes('notTried'), mustReobserve: landed };
}

function hasFailed({ status }: CreateResult): boolean {
  return status === 'refused' || status === 'unknown';
}

function endsCreating(result: CreateResult): boolean {
  return hasFailed(result) || result.status === 'notTried';
}

/** The pods whose create was refused or not tried. A pod whose create was not answered stays in the intent, for the next sync. */
function notCreated(pods: readonly PlannedPod[], results: readonly CreateResult[]): PlannedPod[] {
  return pods.filter((_, index) => {
    const status = results[index]?.status;
    return status === undefined || status === 'notTried' || status === 'refused' || status === 'taken';
  });
}

function collect(
  creates: readonly CreateResult[],
  deletes: readonly DeleteResult[],
  rest: Burned & { readonly unfinished: boolean },
): CommittedReplicas {
  const results = [...creates, ...deletes];
  const uidsOf = (...statuses: readonly DeleteResult['status'][]) =>
    new Set(deletes.filter(({ status }) => statuses.includes(status)).map(({ victim }) => victim.uid));
  return {
    created: creates.flatMap((result) => (result.status === 'created' ? [result.pod] : [])),
    deletedUids: uidsOf('deleted', 'absent'),
    leavingUids: uidsOf('unknown', 'notTried'),
    terminating: deletes.filter((result) => result.status === 'deleted' && result.terminating).length,
    failure: results.flatMap((result) => ('error' in result ? [result.error] : []))[0],
    settled: rest.settled && !results.some(({ status }) => status === 'unknown'),
    mustReobserve: rest.mustReobserve || results.some(({ status }) => status === 'taken' || status === 'changed'),
    unfinished: rest.unfinished,
    events: results.flatMap(({ event }) => (event ? [event] : [])),
    writes: results.flatMap(({ write }) => (write === undefined ? [] : [write])),
  };
}
