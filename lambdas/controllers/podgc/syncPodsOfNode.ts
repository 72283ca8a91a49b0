import type { Node, Pod } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncOutcome, SyncReport } from '../Controller.ts';
import { reasonInWords } from '../reasonInWords.ts';
import { deleteMarkedPod } from '../tainteviction/deleteMarkedPod.ts';
import { type CollectedPod, decideCollection, isOutOfService, QUARANTINE_MS } from './decideCollection.ts';

/** The name of a key that stands for the pods of a namespace, on whichever node. A resync queues such keys. */
export const ALL_NODES = '*';
/** Kubernetes' `gcCheckPeriod`. */
const CHECK_PERIOD_MS = 20_000;

/** What was found: the pods to collect, and when to look again. */
interface Found {
  readonly collected: readonly CollectedPod[];
  readonly againInMs?: number;
}

/** Collects the pods of one node, or of all nodes that do not exist. The pods are listed only if the node does not exist or is out of service. */
export async function syncPodsOfNode(key: WorkKey, context: SyncContext): Promise<SyncReport> {
  const found = key.name === ALL_NODES ? await findOrphans(key, context) : await findOfNode(key, context);
  const writes: string[] = [];
  let isConflict = false;
  for (const { pod, marked } of found.collected) {
    const outcome = await deleteMarkedPod(context.registry, pod, marked, { gracePeriodSeconds: 0 });
    if (outcome === 'conflict') isConflict = true;
    if (outcome === 'deleted') writes.push(`remove pods ${pod.metadata.namespace ?? ''}/${pod.metadata.name}`);
  }
  const why = [reasonInWords({ reason: 'collectsPods', collected: writes.length })];
  return { outcome: isConflict ? { status: 'conflict' } : again(found), why, writes };
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
