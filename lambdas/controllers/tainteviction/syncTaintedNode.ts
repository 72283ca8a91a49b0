import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { noExecuteTaints } from '../../objects/nodes/nodeState.ts';
import { withPodCondition } from '../../objects/pods/podConditions.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { reasonInWords, reportDone } from './taintEvictionReasons.ts';
import { decideEvictions, type EvictionDecision } from './decideEvictions.ts';
import { deleteMarkedPod } from './deleteMarkedPod.ts';

const TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
} as const;

/** A scheduler whose list of nodes is as old as this may still put a pod on the node. */
const LATE_BINDING_MS = 60_000;

/** Evicts the pods that have to leave one node now, and asks to be run again for the next. A taint without a time gets the present one, because the pods' time is counted from it. */
export async function syncTaintedNode(
  events: EventRecorder,
  { name }: WorkKey,
  { registry, nowMs }: SyncContext,
): Promise<SyncReport> {
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name });
  if (!node) return reportDone({ reason: 'isGone' });
  const taints = noExecuteTaints(node);
  if (taints.length === 0) return reportDone({ reason: 'evictsNoPods' });
  if (taints.some(({ timeAdded }) => timeAdded === undefined)) return await stampTaints(registry, node, nowMs);
  const { items } = await registry.list<Pod>('pods');
  const decision = decideEvictions(
    items.filter(({ spec }) => spec?.nodeName === name),
    taints,
    nowMs,
  );
  const writes: string[] = [];
  const recorded: EventToRecord[] = [];
  let isConflict = false;
  for (const pod of decision.evicted) {
    const outcome = await deleteMarkedPod(registry, pod, withPodCondition(pod, TARGET, formatTime(nowMs)));
    if (outcome === 'conflict') isConflict = true;
    if (outcome !== 'deleted') continue;
    writes.push(`evict pods ${namespacedName(pod)}`);
    recorded.push(deletionEvent(pod));
  }
  await events.record(recorded, registry);
  const newestMs = Math.max(...taints.map(({ timeAdded = '' }) => Date.parse(timeAdded)));
  const why = [reasonInWords({ reason: 'evictsPods', evicted: writes.length })];
  return { outcome: isConflict ? { status: 'conflict' } : again(decision, newestMs, nowMs), why, writes };
}

function again({ nextInMs }: EvictionDecision, newestMs: number, nowMs: number): SyncOutcome {
  const lateInMs = newestMs + LATE_BINDING_MS - nowMs;
  const waits = [...(nextInMs === undefined ? [] : [nextInMs]), ...(lateInMs > 0 ? [lateInMs] : [])];
  return waits.length === 0 ? { status: 'done' } : { status: 'requeueAfter', delayMs: Math.min(...waits) };
}

async function stampTaints(registry: GuardedRegistry, node: Node, nowMs: number): Promise<SyncReport> {
  const timeAdded = formatTime(nowMs);
  const taints = (node.spec?.taints ?? []).map((taint) =>
    taint.effect === 'NoExecute' ? { timeAdded, ...taint } : taint,
  );
  const changed = { ...node, spec: { ...node.spec, taints } };
  const outcome = await registry.update<Node>('nodes', changed, { from: node });
  if (outcome.status === 'stored') {
    const why = [reasonInWords({ reason: 'taintsGetTimes' })];
    return { outcome: { status: 'requeueAfter', delayMs: 0 }, why, writes: [`taints of nodes ${node.metadata.name}`] };
  }
  const { reason } = outcome.error;
  if (reason !== 'Conflict' && reason !== 'NotFound') throw outcome.error;
  return { outcome: { status: 'conflict' }, why: [reasonInWords({ reason: 'changedMeanwhile' })], writes: [] };
}

function deletionEvent(pod: Pod): EventToRecord {
  const message = `Marking for deletion Pod ${namespacedName(pod)}`;
  return { regarding: pod, type: 'Normal', reason: 'TaintManagerEviction', message };
}
