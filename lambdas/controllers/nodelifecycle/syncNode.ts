import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isNodeReady } from '../../objects/nodes/nodeState.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import type { EventRecorder, EventToRecord } from '../EventRecorder.ts';
import { type Reason, reasonInWords } from './nodeReasons.ts';
import { decideEvictionPermit, type PermitDecision } from './decideEvictionPermit.ts';
import { decideNodeHealth, type NodeHealth } from './decideNodeHealth.ts';
import { decideTaints } from './decideTaints.ts';
import { LEASE_NAMESPACE, LEASES } from './keysForChange.ts';
import { markPodsNotReady } from './markPodsNotReady.ts';

/** What a sync collects while it goes from one write to the next. */
interface Progress {
  readonly why: Reason[];
  readonly writes: string[];
  readonly events: EventToRecord[];
}

type Written = { readonly status: 'stored'; readonly node: Node } | { readonly status: 'conflict' };

/** Looks at one node: whether its kubelet is alive, which taints it should have, and whether its pods count as ready. A simulated node needs no sign of life. It gets the taints for the conditions that a user gives it. */
export async function syncNode(events: EventRecorder, key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const progress: Progress = { why: [], writes: [], events: [] };
  const outcome = await lookAt(key.name, context, progress);
  await events.record(progress.events, context.registry);
  return { outcome, why: progress.why.map(reasonInWords), writes: progress.writes };
}

async function lookAt(name: string, context: SyncContext, progress: Progress): Promise<SyncOutcome> {
  const { registry } = context;
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name });
  if (!node) return done(progress, { reason: 'isGone' });
  const health = await healthOf(node, context);
  const judged = await writeHealth(node, health, context, progress);
  if (judged.status === 'conflict') return done(progress, { reason: 'changedMeanwhile' }, 'conflict');
  const decision = await permitFor(judged.node, context);
  const tainted = await writeTaints(judged.node, decision, context, progress);
  if (tainted.status === 'conflict') return done(progress, { reason: 'changedMeanwhile' }, 'conflict');
  if (!isNodeReady(tainted.node) && !isSimulatedNode(node)) await markPods(tainted.node, context, progress);
  progress.why.push({ reason: isNodeReady(tainted.node) ? 'nodeIsReady' : 'nodeIsNotReady' });
  return again(health, decision);
}

function done({ why }: Progress, reason: Reason, status: 'done' | 'conflict' = 'done'): SyncOutcome {
  why.push(reason);
  return { status };
}

async function healthOf(node: Node, { registry, nowMs }: SyncContext): Promise<NodeHealth | undefined> {
  if (isSimulatedNode(node)) return undefined;
  const place = { resource: LEASES, namespace: LEASE_NAMESPACE, name: node.metadata.name };
  return decideNodeHealth(node, await registry.get<Stored<Lease>>(place), nowMs);
}

async function writeHealth(
  node: Node,
  health: NodeHealth | undefined,
  { registry }: SyncContext,
  progress: Progress,
): Promise<Written> {
  if (health?.health !== 'silent') return { status: 'stored', node };
  const isSaid = health.conditions.every((condition) => node.status?.conditions?.includes(condition));
  if (isSaid) return { status: 'stored', node };
  const changed = { ...node, status: { ...node.status, conditions: [...health.conditions] } };
  const outcome = await registry.update<Node>('nodes', changed, { subresource: 'status', from: node });
  if (outcome.status === 'refused') return conflictOr(outcome.error);
  progress.writes.push(`status of nodes ${node.metadata.name}`);
  if (isNodeReady(node)) progress.events.push(statusEvent(node));
  return { status: 'stored', node: outcome.object };
}

function statusEvent(node: Node): EventToRecord {
  const message = `Node ${node.metadata.name} status is now: NodeNotReady`;
  return { regarding: node, type: 'Normal', reason: 'NodeNotReady', message };
}

/** The state of all nodes is read only for a node that is not ready. */
async function permitFor(node: Node, { registry, nowMs }: SyncContext): Promise<PermitDecision> {
  if (isNodeReady(node)) return { permit: 'allowed' };
  const { items } = await registry.list<Node>('nodes');
  return decideEvictionPermit(node, items, nowMs);
}

async function writeTaints(
  node: Node,
  { permit }: PermitDecision,
  { registry, nowMs }: SyncContext,
  progress: Progress,
): Promise<Written> {
  const before = node.spec?.taints ?? [];
  const taints = decideTaints(node, permit, formatTime(nowMs));
  if (taints.length === before.length && taints.every((taint) => before.includes(taint)))
    return { status: 'stored', node };
  const { taints: _, ...spec } = node.spec ?? {};
  const changed = { ...node, spec: { ...spec, ...(taints.length > 0 && { taints: [...taints] }) } };
  const outcome = await registry.update<Node>('nodes', changed, { from: node });
  if (outcome.status === 'refused') return conflictOr(outcome.error);
  progress.writes.push(`taints of nodes ${node.metadata.name}`);
  return { status: 'stored', node: outcome.object };
}

function conflictOr(error: ApiError): Written {
  if (error.reason === 'Conflict' || error.reason === 'NotFound') return { status: 'conflict' };
  throw error;
}

async function markPods(node: Node, { registry, nowMs }: SyncContext, progress: Progress): Promise<void> {
  const { items } = await registry.list<Pod>('pods');
  const pods = items.filter(({ spec }) => spec?.nodeName === node.metadata.name);
  const { writes, events } = await markPodsNotReady(registry, pods, formatTime(nowMs));
  progress.writes.push(...writes);
  progress.events.push(...events);
}

/** A node that is alive is looked at when its next sign of life would be overdue; one that is silent, when something changes or its pods may be evicted. */
function again(health: NodeHealth | undefined, { retryInMs }: PermitDecision): SyncOutcome {
  const waits = [
    ...(health?.health === 'alive' ? [health.staleInMs] : []),
    ...(retryInMs === undefined ? [] : [retryInMs]),
  ];
  return waits.length === 0 ? { status: 'done' } : { status: 'requeueAfter', delayMs: Math.min(...waits) };
}
