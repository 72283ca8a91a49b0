import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import { reasonInWords } from './podCollectionReasons.ts';
import { deleteMarkedPod } from '../tainteviction/deleteMarkedPod.ts';
import {
  type CollectedPod,
  decideCollection,
  decideUnscheduled,
  isOutOfService,
  QUARANTINE_MS,
} from './decideCollection.ts';
import { decideTerminated } from './decideTerminated.ts';

/** The name of a key that stands for the pods of a namespace, on whichever node. A resync queues such keys. */
export const ALL_NODES = '*';
/** The beginning of the name of a key that stands for one pod. No node's name has a slash. */
export const POD_PREFIX = 'pods/';
/** Kubernetes' `gcCheckPeriod`. */
export const CHECK_PERIOD_MS = 20_000;

/** What was found: the pods to collect, and when to look again. */
interface Found {
  readonly collected: readonly CollectedPod[];
  readonly againInMs?: number;
}

/** Collects the pods of one node, or of all nodes that do not exist, one pod that has no node, or those that ended too long ago. The pods of a node are listed only if the node does not exist or is out of service. */
export async function syncPodsOfNode(key: WorkKey, context: SyncContext, terminatedPods: number): Promise<SyncReport> {
  const found = await find(key, context, terminatedPods);
  const writes: string[] = [];
  let isConflict = false;
  let left = found.collected.length;
  for (const { pod, marked } of found.collected) {
    if (!context.mayGoOn()) break;
    left -= 1;
    const outcome = await deleteMarkedPod(context.registry, pod, marked, { gracePeriodSeconds: 0 });
    if (outcome === 'conflict') isConflict = true;
    if (outcome === 'deleted') writes.push(`remove pods ${namespacedName(pod)}`);
  }
  const why = [reasonInWords({ reason: 'collectsPods', collected: writes.length })];
  const outcome = left > 0 ? again({ ...found, againInMs: 0 }) : again(found);
  return { outcome: isConflict ? { status: 'conflict' } : outcome, why, writes };
}

function find(key: WorkKey, context: SyncContext, terminatedPods: number): Promise<Found> {
  if (key.name.startsWith(POD_PREFIX)) return findUnscheduled(key, context);
  if (key.name !== ALL_NODES) return findOfNode(key, context);
  return key.namespace === '' ? findTerminated(context, terminatedPods) : findOrphans(key, context);
}

/** `gcTerminated`. The pods have ended, so nothing is written before they are deleted. */
async function findTerminated({ registry }: SyncContext, terminatedPods: number): Promise<Found> {
  const { items } = await registry.list<Pod>('pods');
  return { collected: decideTerminated(items, terminatedPods).map((pod) => ({ pod, marked: pod })) };
}

/** `gcUnscheduledTerminating`. */
async function findUnscheduled({ namespace, name }: WorkKey, { registry }: SyncContext): Promise<Found> {
  const place = { resource: 'pods', namespace, name: name.slice(POD_PREFIX.length) };
  return { collected: decideUnscheduled(await registry.get<Pod>(place)) };
}

function again({ againInMs }: Found): SyncOutcome {
  return againInMs === undefined ? { status: 'done' } : { status: 'requeueAfter', delayMs: againInMs };
}

async function findOfNode({ name }: WorkKey, { registry, nowMs }: SyncContext): Promise<Found> {
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name });
  if (node && !isOutOfService(node)) return { collected: [] };
  const { items } = await registry.list<Pod>('pods');
  const pods = items.filter(({ spec }) => spec?.nodeName === name);
  const collected = decideCollection(node, pods, nowMs);
  // The taint eviction controller deletes the pods of a node out of service; they are collected afterwards. Young pods of a node that does not exist get older.
  const isLeft = collected.length < pods.length;
  return { collected, ...(isLeft && { againInMs: node ? CHECK_PERIOD_MS : QUARANTINE_MS }) };
}

async function findOrphans({ namespace }: WorkKey, { registry, nowMs }: SyncContext): Promise<Found> {
  const [pods, nodes] = await Promise.all([
    registry.list<Pod>('pods', { namespace }),
    registry.list<Node>('nodes', {}),
  ]);
  const names = new Set(nodes.items.map(({ metadata }) => metadata.name));
  const orphans = pods.items.filter(({ spec }) => spec?.nodeName && !names.has(spec.nodeName));
  const collected = decideCollection(undefined, orphans, nowMs);
  return { collected, ...(collected.length < orphans.length && { againInMs: QUARANTINE_MS }) };
}
