import { type Clock, sleep } from '../../ports/Clock.ts';
import { WRITE_LIFETIME_MS } from '../../ports/ObjectStore.ts';
import { conclude } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import type { PodEventBudget } from '../pod/PodEventBudget.ts';
import { NodesOfSync, type RecentNodes } from '../pod/RecentNodes.ts';
import { reasonInWords } from './schedulerReasons.ts';
import { choosePlainNode } from './choosePlainNode.ts';
import { type Committed, mergeCommitted } from '../Committed.ts';
import { commitDecision, commitGated } from './commitDecision.ts';
import { decideNotice, mayRepel, type NoticeDelays } from './decideNotice.ts';
import { decideSchedule, type Schedule } from './decideSchedule.ts';
import { isPlainPod } from './isPlainPod.ts';
import { type ObservedPods, observePods, snapshotOf } from './observeCluster.ts';
import type { PodsReader } from './KeptPods.ts';
import type { PlainBinds } from './PlainBinds.ts';
import {
  encodeNotice,
  type NoticeMap,
  parseNotice,
  readNoticeMap,
  sameNotice,
  type SchedulerNotice,
} from './SchedulerNotice.ts';

export interface SyncSchedulerDeps {
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly nodes: RecentNodes;
  readonly budget: PodEventBudget;
  readonly delays: NoticeDelays;
  readonly leavesPlainPods: boolean;
  readonly binds: PlainBinds;
  readonly readPods: PodsReader;
  /** A sync decides about so many pods at most. */
  readonly mostPods: number;
}

/** So many pods are written at the same time. */
const CONCURRENT_WRITES = 25;

/** Decides about all pods that wait, by one list of the pods, and writes what it decided. */
export async function syncScheduler(deps: SyncSchedulerDeps, context: SyncContext): Promise<SyncReport> {
  const { registry, nowMs } = context;
  const map = await readNoticeMap(registry);
  const before = parseNotice(map);
  // This process' own bindings that began before it could know of the notice. Those of others have `delays.heldMs` to end.
  if (before.plainPods) await deps.binds.settled();
  const observed = await observePods(registry, deps.readPods);
  const schedule = await scheduleByNodes(deps, observed, before, nowMs);
  const decision = decideNotice(before, schedule, deps.delays, nowMs);
  const written = await commitWholly(deps.clock, context, schedule);
  const { events } = mergeCommitted(written.done);
  await deps.events.record(deps.budget.admit(events), registry);
  const noticed = await commitNotice(registry, map, before, decision.notice);
  const done = mergeCommitted([noticed, ...written.done]);
  return {
    outcome: conclude({
      mustReobserve: done.mustReobserve,
      isCutShort: schedule.left > 0 || written.isCut,
      delaysMs: [decision.recheckMs],
    }),
    why: reasonsOf(schedule),
    writes: done.writes,
  };
}

/** Decides by the nodes of a moment ago; if that leaves a pod waiting, by the nodes as they are now. */
async function scheduleByNodes(
  { nodes, delays, leavesPlainPods, mostPods }: SyncSchedulerDeps,
  observed: ObservedPods,
  notice: SchedulerNotice,
  nowMs: number,
): Promise<Schedule> {
  const ofSync = new NodesOfSync(nodes);
  const decideBy = (list: Awaited<ReturnType<NodesOfSync['list']>>) =>
    decideSchedule({
      pods: observed.pods,
      cluster: snapshotOf(observed, list),
      budgets: observed.budgets,
      isLeft: (pod) =>
        leavesPlainPods && !notice.plainPods && isPlainPod(pod) && choosePlainNode(pod, list) !== undefined,
      mayRepel: !leavesPlainPods || mayRepel(notice, delays, nowMs),
      limit: mostPods,
    });
  const schedule = decideBy(await ofSync.recent());
  return schedule.waitsFor === undefined || ofSync.areNew ? schedule : decideBy(await ofSync.list());
}

async function commitNotice(
  registry: GuardedRegistry,
  map: NoticeMap | undefined,
  before: SchedulerNotice,
  notice: SchedulerNotice,
): Promise<Partial<Committed>> {
  if (sameNotice(before, notice)) return {};
  const object = encodeNotice(map, notice);
  const outcome = map
    ? await registry.update<NoticeMap>('configmaps', { ...map, ...object } as NoticeMap, { from: map })
    : await registry.create<NoticeMap>('configmaps', object);
  if (outcome.status === 'stored') return { writes: ['the notice of what pods wait for'], events: [] };
  const { error } = outcome;
  if (error.reason === 'Conflict' || error.reason === 'AlreadyExists' || map) return { mustReobserve: true };
  throw error;
}

/** Writes what was decided. After an error it waits until no write can arrive any more: the next sync does not see such a write, and would give the room away again. */
async function commitWholly(clock: Clock, context: SyncContext, schedule: Schedule): ReturnType<typeof commitAll> {
  try {
    return await commitAll(context, schedule);
  } catch (error) {
    await sleep(clock, WRITE_LIFETIME_MS);
    throw error;
  }
}

/** Writes what was decided, some pods at a time, in the order of the decisions, until the sync's time is over. */
async function commitAll(
  { registry, nowMs, mayGoOn }: SyncContext,
  { decisions, gated }: Schedule,
): Promise<{ readonly done: readonly Partial<Committed>[]; readonly isCut: boolean }> {
  const writes = [
    ...decisions.map(
      ({ pod, decided }) =>
        () =>
          commitDecision(registry, pod, decided, nowMs),
    ),
    ...gated.map((pod) => () => commitGated(registry, pod, nowMs)),
  ];
  const done: Partial<Committed>[] = [];
  for (let at = 0; at < writes.length; at += CONCURRENT_WRITES) {
    if (!mayGoOn()) return { done, isCut: true };
    done.push(...(await allDone(writes.slice(at, at + CONCURRENT_WRITES).map((write) => write()))));
  }
  return { done, isCut: false };
}

/** Like `Promise.all`, but nothing is under way any more when it throws. */
async function allDone<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}

function reasonsOf({ decisions, gated, held, left }: Schedule): readonly string[] {
  const binds = decisions.filter(({ decided }) => decided.decision === 'bind').length;
  const why = [reasonInWords({ reason: 'scheduled', binds, waits: decisions.length - binds + gated.length })];
  if (held > 0) why.push(reasonInWords({ reason: 'heldForPlainPods', held }));
  if (left > 0) why.push(reasonInWords({ reason: 'morePods', left }));
  return why;
}
