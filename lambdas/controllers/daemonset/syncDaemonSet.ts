import type { DaemonSet, Node, Pod } from '../../objects/kinds.ts';
import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { Intent } from '../../ports/KeyLocks.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { orphansFor, podsOf } from '../claim/candidatePods.ts';
import { claimPods, matcherOf } from '../claim/claimPods.ts';
import type { CommittedClaims } from '../claim/commitClaims.ts';
import { conclude, CONFLICT } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { dropRevisions } from '../history/commitRevisions.ts';
import { reasonInWords, reportDone } from './daemonSetReasons.ts';
import { updateStatus } from '../updateStatus.ts';
import { cancelIntent, type CommittedReplicas } from '../replicaset/commitReplicas.ts';
import { forgetOwner } from '../replicaset/forgetOwner.ts';
import { concludeSettled } from '../replicaset/concludeSettled.ts';
import { controlOf } from '../replicaset/PodControl.ts';
import { calculateStatus, nextAvailableInMs } from './calculateStatus.ts';
import {
  commitDaemonPods,
  intentOf,
  memoryOf,
  openRequests,
  settleDaemonIntent,
  templatesOf,
  withoutRequests,
} from './commitDaemonPods.ts';
import { type ConstructedHistory, constructHistory } from './constructHistory.ts';
import { daemonNodes, type DaemonWorld } from './DaemonNodes.ts';
import { revisionsToDelete } from './decideHistory.ts';
import { DAEMON_SETS } from './keysForChange.ts';
import { type DaemonPlan, manageDaemons } from './manageDaemons.ts';

export interface SyncDaemonSetDeps {
  /** The recorder of `daemonset-controller`. */
  readonly events: EventRecorder;
  readonly ids: Ids;
}

const SELECTS_ALL = 'This daemon set is selecting all pods. A non-empty selector is required.';

/**
 * Syncs one DaemonSet. Its steps: observe, settle what an earlier sync left, claim pods and revisions, decide (`manageDaemons`), record the intent and commit, drop old revisions, write the status. The status is written even
 * when creating or deleting failed; then the failure is thrown, so that the key is retried with backoff.
 */
export async function syncDaemonSet(deps: SyncDaemonSetDeps, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { namespace, name } = key;
  const daemonSet = await context.registry.get<DaemonSet>({ resource: DAEMON_SETS, namespace, name });
  if (!daemonSet) return await forgetOwner(key, context);
  if (isEmptySelector(daemonSet)) return await reportSelectingAll(deps, daemonSet, context);
  if (daemonSet.metadata.deletionTimestamp !== undefined) return await cancelRequests(key, context);
  const { pods, nodes } = await observeDaemons(context.registry, daemonSet);
  const matches = matcherOf(daemonSet.spec?.selector);
  const { intent } = context.item;
  const open = intent && openRequests(intent, name, pods);
  if (intent && open && open.burns.length + open.deletes.length > 0)
    return await concludeSettled(
      context,
      intent,
      await settleDaemonIntent(controlOf(daemonSet, matches, context), intent, pods),
      withoutRequests(intent),
    );
  const claims = await claimPods(context.registry, DAEMON_SETS, { object: daemonSet, matches }, pods);
  const history = await constructHistory(context.registry, daemonSet, claims.claimed);
  if (history.status === 'conflict') return { outcome: CONFLICT, why: [], writes: claims.writes };
  return await carryOut(deps, { daemonSet, nodes, claims, history }, context);
}

/** Reads the pods that the DaemonSet has or may adopt, in every state, and all nodes. All reads are strong. */
export async function observeDaemons(
  registry: RegistryReader,
  daemonSet: DaemonSet,
): Promise<{ readonly pods: readonly Pod[]; readonly nodes: readonly Node[] }> {
  const { namespace = '' } = daemonSet.metadata;
  const [owned, orphans, nodes] = await Promise.all([
    podsOf(registry, daemonSet),
    orphansFor(registry, namespace, daemonSet.spec?.selector),
    registry.list<Node>('nodes'),
  ]);
  return { pods: [...owned, ...orphans], nodes: nodes.items };
}

/** Validation refuses such a selector today. */
function isEmptySelector({ spec }: DaemonSet): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

async function reportSelectingAll(
  { events }: SyncDaemonSetDeps,
  regarding: DaemonSet,
  { registry }: SyncContext,
): Promise<SyncReport> {
  await events.record([{ regarding, type: 'Warning', reason: 'SelectingAll', message: SELECTS_ALL }], registry);
  return reportDone({ reason: 'emptySelector' });
}

/** The pods of a DaemonSet that is being deleted are for the garbage collector. No create that is still under way may add one. */
async function cancelRequests(key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const { intent } = context.item;
  if (intent) {
    await cancelIntent(context.objectStore, key, intent);
    await context.recordIntent(undefined);
  }
  return reportDone({ reason: 'daemonSetIsBeingDeleted' });
}

interface Observed {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly Node[];
  readonly claims: CommittedClaims<Pod>;
  readonly history: Extract<ConstructedHistory, { status: 'stored' }>;
}

async function carryOut(deps: SyncDaemonSetDeps, observed: Observed, context: SyncContext): Promise<SyncReport> {
  const { claims, history } = observed;
  const before = worldOf(observed, claims.claimed, context);
  const plan = manageDaemons(before);
  const committed = await commit(before, plan, deps.ids.uid(), context);
  await deps.events.record(committed.events, context.registry);
  const writes = [...claims.writes, ...history.writes, ...committed.writes];
  const why = plan.why.map(reasonInWords);
  if (committed.mustReobserve && !committed.failure) return { outcome: CONFLICT, why, writes };
  const pods = [...claims.claimed, ...committed.created];
  const surplus = committed.failure ? [] : revisionsToDelete(observed.daemonSet, history.old, pods);
  const dropped = await dropRevisions(context.registry, surplus);
  const after = worldOf(observed, pods, context);
  const { status } = await updateStatus(context.registry, DAEMON_SETS, observed.daemonSet, calculateStatus(after));
  if (committed.failure) throw committed.failure;
  return {
    outcome: conclude({
      mustReobserve: status === 'conflict',
      isCutShort: committed.unfinished || status === 'notTried' || plan.lookAgain,
      delaysMs: [plan.retryInMs, nextAvailableInMs(after)],
    }),
    why,
    observed: countsOf(after),
    writes: [
      ...writes,
      ...dropped,
      ...(status === 'stored' ? [`status of ${DAEMON_SETS} ${namespacedName(observed.daemonSet)}`] : []),
    ],
  };
}

/** The collision count that was needed for the revision's name is part of the status from now on. */
function worldOf({ daemonSet, nodes, history }: Observed, pods: readonly Pod[], context: SyncContext): DaemonWorld {
  const { hash, collisionCount } = history;
  const { item, nowMs } = context;
  const failedPods = item.intent?.ownerUid === daemonSet.metadata.uid ? memoryOf(item.intent).failedPods : undefined;
  return { daemonSet, hash, collisionCount, nodes: daemonNodes(daemonSet, nodes, pods), failedPods, nowMs };
}

async function commit(
  world: DaemonWorld,
  plan: DaemonPlan,
  intentId: string,
  context: SyncContext,
): Promise<CommittedReplicas> {
  const { daemonSet, hash, nowMs } = world;
  const isActive = plan.creates.length + plan.deletes.length > 0;
  const intent = intentOf(daemonSet, plan, intentId, nowMs);
  if (isActive) await context.recordIntent(intent);
  const control = {
    ...controlOf(daemonSet, matcherOf(daemonSet.spec?.selector), context),
    templateOf: templatesOf(daemonSet, hash),
  };
  const committed = await commitDaemonPods(control, plan, intent);
  const isOver = committed.settled && !committed.unfinished;
  const isStale = isActive || isForgotten(context.item.intent, intent);
  // An intent that is not settled stays for the next sync: a request whose answer was lost may still be under way.
  if (isOver && isStale) await context.recordIntent(withoutRequests(intent));
  return committed;
}

/** True if the key has an intent of which nothing is worth remembering any more. */
function isForgotten(stored: Intent | undefined, intent: Intent | undefined): boolean {
  return stored !== undefined && (intent === undefined || stored.count + stored.deletes.length > 0);
}

function countsOf({ nodes }: DaemonWorld): Record<string, unknown> {
  return {
    nodes: nodes.filter(({ exists }) => exists).length,
    desired: nodes.filter(({ shouldRun }) => shouldRun).length,
    pods: nodes.reduce((sum, { pods }) => sum + pods.length, 0),
  };
}
