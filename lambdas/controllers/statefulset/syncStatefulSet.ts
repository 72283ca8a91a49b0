import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { StatefulSetStatus } from 'kubernetes-types/apps/v1.js';
import type { ControllerRevision, Pod, StatefulSet } from '../../objects/kinds.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { claimPods } from '../claim/claimPods.ts';
import { conclude, CONFLICT, LOOK_AGAIN } from '../conclude.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import { claimRevisions } from '../history/claimRevisions.ts';
import { createControllerRevision, dropRevisions, updateControllerRevision } from '../history/commitRevisions.ts';
import { truncateHistory } from '../history/truncateHistory.ts';
import { type Reason, reasonInWords } from './statefulSetReasons.ts';
import { updateStatus } from '../updateStatus.ts';
import { nextAvailableInMs } from '../replicaset/calculateStatus.ts';
import type { CommittedSteps } from './CommittedSteps.ts';
import { commitSteps, intentOf, limited } from './commitSteps.ts';
import { getStatefulSetRevisions, type RevisionStep } from './getStatefulSetRevisions.ts';
import type { Revisions } from './newStatefulSetPod.ts';
import { type ObservedSet, observeStatefulSet, podMatcher, STATEFUL_SETS } from './observeStatefulSet.ts';
import { getPodRevision } from './podIdentity.ts';
import { desiredReplicas } from './setState.ts';
import { revisionsOf } from './revisionsOf.ts';
import { openRequests, type SetMemory, settleRequests } from './settleRequests.ts';
import { createStatefulPodControl } from './StatefulPodControl.ts';
import { isSameStatus, statefulSetStatus } from './statefulSetStatus.ts';
import { updateStatefulSet } from './updateStatefulSet.ts';

export interface SyncStatefulSetDeps {
  readonly events: EventRecorder;
  readonly ids: Ids;
}

/**
 * Syncs one StatefulSet. Its steps: observe; make sure that no request of an earlier sync comes late (`settleRequests`); claim revisions and pods; store the revision of the template; decide (`updateStatefulSet`); record the intent
 * and commit (`commitSteps`); write the status; drop old revisions.
 */
export async function syncStatefulSet(
  deps: SyncStatefulSetDeps,
  key: WorkKey,
  context: SyncContext,
): Promise<SyncReport> {
  const { namespace, name } = key;
  const set = await context.registry.get<StatefulSet>({ resource: STATEFUL_SETS, namespace, name });
  if (!set) return await forgetStatefulSet(key, context);
  const observed = await observeStatefulSet(context.registry, set);
  const { intent } = context.item;
  const open = openRequests(set, intent, observed.candidates, context.nowMs);
  const settled = await settleRequests(context.objectStore, { namespace, uid: set.metadata.uid }, open);
  if (settled.landed) return reportOf(CONFLICT, [], []);
  if (settled.stopped.length > 0) {
    await context.recordIntent(undefined);
    return reportOf(LOOK_AGAIN, [{ reason: 'lateRequestsStopped', names: settled.stopped }], []);
  }
  return await carryOut(deps, set, observed, context);
}

function reportOf(outcome: SyncOutcome, why: readonly Reason[], writes: readonly string[]): SyncReport {
  return { outcome, why: why.map(reasonInWords), writes };
}

/** The pods of a set that is gone are left to the garbage collector. */
async function forgetStatefulSet({ namespace, name }: WorkKey, context: SyncContext): Promise<SyncReport> {
  const why: Reason[] = [{ reason: 'ownerIsGone', namespace, name }];
  if (context.item.intent) {
    const { ownerUid } = context.item.intent;
    const open = openRequests({ metadata: { name } }, context.item.intent, [], context.nowMs);
    await settleRequests(context.objectStore, { namespace, uid: ownerUid }, open);
    await context.recordIntent(undefined);
    why.push({ reason: 'plannedPodsBurned' });
  }
  return reportOf({ status: 'done' }, why, []);
}

async function carryOut(
  deps: SyncStatefulSetDeps,
  set: StatefulSet,
  observed: ObservedSet,
  context: SyncContext,
): Promise<SyncReport> {
  const history = await claimHistory(set, observed, context);
  // A set adopts only orphans with one of its names: `getPodsForStatefulSet`.
  const claimant = { object: set, matches: podMatcher(set) };
  const { registry } = context;
  const { claimed: pods, writes: claims } = await claimPods(registry, STATEFUL_SETS, claimant, observed.candidates);
  const stored = await commitRevision(set, history.claimed, context);
  if (stored === 'conflict') return reportOf(CONFLICT, [], [...history.writes, ...claims]);
  const { revisions } = stored;
  const plan = updateStatefulSet({ set, pods, claims: observed.claims, revisions, nowMs: context.nowMs });
  const { phases, isCut } = limited(plan);
  const intent = intentOf(set, phases, { id: deps.ids.uid(), nowMs: context.nowMs });
  if (intent) await context.recordIntent(intent);
  const control = createStatefulPodControl(set, context, claimant.matches);
  const committed = await commitSteps(control, phases, revisions, intent);
  await clearIntent(intent, committed, context);
  const after = podsAfter(pods, committed);
  const wanted = statusAfter(set, after, stored, context.nowMs);
  const { status } = await updateStatus(context.registry, STATEFUL_SETS, set, wanted);
  await deps.events.record(committed.events, context.registry);
  const dropped = await dropRevisions(context.registry, surplusRevisions(set, history.claimed, after, revisions));
  if (committed.failure) throw committed.failure;
  return {
    outcome: conclude({
      mustReobserve: committed.mustReobserve || status === 'conflict' || status === 'absent',
      isCutShort: committed.unfinished || isCut || status === 'notTried',
      delaysMs: [nextAvailableInMs(set, after, context.nowMs)],
    }),
    why: [...stored.why, ...plan.why, ...committed.why].map(reasonInWords),
    observed: { desired: desiredReplicas(set), pods: pods.length, revision: revisions.update.name },
    writes: [
      ...history.writes,
      ...claims,
      ...stored.writes,
      ...committed.writes,
      ...(status === 'stored' ? [`status of ${STATEFUL_SETS} ${namespacedName(set)}`] : []),
      ...dropped,
    ],
  };
}

function claimHistory(set: StatefulSet, { revisions }: ObservedSet, { registry }: SyncContext) {
  const { namespace = '', name } = set.metadata;
  const key = { resource: STATEFUL_SETS, namespace, name };
  return claimRevisions(registry, { object: set, key, selector: set.spec?.selector, releases: false }, revisions);
}

interface StoredRevisions {
  readonly revisions: Revisions;
  readonly collisionCount: number;
  readonly why: readonly Reason[];
  readonly writes: readonly string[];
}

/** Stores the revision of the set's template. A set that is being deleted gets no new one: the garbage collector would have to delete it as well. */
async function commitRevision(
  set: StatefulSet,
  sorted: readonly ControllerRevision[],
  { registry }: SyncContext,
): Promise<StoredRevisions | 'conflict'> {
  const collisionCount = set.status?.collisionCount ?? 0;
  const step = getStatefulSetRevisions(set, sorted);
  const isDeleting = set.metadata.deletionTimestamp !== undefined;
  if (step.step === 'keep' || isDeleting) {
    const update = step.step === 'create' ? undefined : step.revision;
    return { revisions: revisionsOf(set, sorted, update), collisionCount, why: [], writes: [] };
  }
  const committed =
    step.step === 'create'
      ? await createControllerRevision(registry, set, step.draft, collisionCount)
      : await updateControllerRevision(registry, step.revision, step.number, collisionCount);
  if (committed.status === 'conflict') return 'conflict';
  const { revision, writes } = committed;
  return {
    revisions: revisionsOf(set, sorted, revision),
    collisionCount: committed.collisionCount ?? 0,
    why: [reasonOf(step, revision)],
    writes,
  };
}

function reasonOf({ step }: RevisionStep, { metadata, revision: number }: ControllerRevision): Reason {
  return { reason: step === 'create' ? 'storesRevision' : 'returnsToRevision', name: metadata.name, number };
}

/** The intent goes when none of its requests can have an effect any more. */
async function clearIntent(
  intent: Intent<SetMemory> | undefined,
  { settled, unfinished }: CommittedSteps,
  { item, recordIntent }: SyncContext,
): Promise<void> {
  if (!(intent ?? item.intent) || (intent && (!settled || unfinished))) return;
  await recordIntent(undefined);
}

/** The set's pods after the writes. Pure. */
function podsAfter(pods: readonly Pod[], committed: CommittedSteps): readonly Pod[] {
  const known = new Set(pods.map(({ metadata }) => metadata.uid));
  const kept = pods.flatMap((pod) => {
    const { uid } = pod.metadata;
    return committed.pods.has(uid) ? (committed.pods.get(uid) ?? []) : pod;
  });
  return [...kept, ...[...committed.pods].flatMap(([uid, pod]) => (pod && !known.has(uid) ? [pod] : []))];
}

/** The status that is stored, if it says the same. */
function statusAfter(
  set: StatefulSet,
  pods: readonly Pod[],
  { revisions, collisionCount }: StoredRevisions,
  nowMs: number,
): StatefulSetStatus {
  const { current, update } = revisions;
  const next = statefulSetStatus({
    set,
    pods,
    currentRevision: current.name,
    updateRevision: update.name,
    collisionCount,
    nowMs,
  });
  return set.status && isSameStatus(set.status, next) ? set.status : next;
}

/** The revisions beyond the limit that nothing uses. Pure. */
function surplusRevisions(
  set: StatefulSet,
  sorted: readonly ControllerRevision[],
  pods: readonly Pod[],
  { current, update }: Revisions,
): readonly ControllerRevision[] {
  const live = new Set([current.name, update.name, ...pods.map(getPodRevision)]);
  return truncateHistory({ sorted, live, limit: set.spec?.revisionHistoryLimit ?? 10 });
}
