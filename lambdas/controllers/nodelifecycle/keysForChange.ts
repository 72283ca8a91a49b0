import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { Node } from '../../objects/kinds.ts';
import { isNodeReady } from '../../objects/nodes/nodeState.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import type { RegistryReader } from '../GuardedWriters.ts';

export const LEASES = 'leases.coordination.k8s.io';
/** The namespace of the nodes' leases. */
export const LEASE_NAMESPACE = 'kube-node-lease';
/** A renewal that comes so late may be that of a node which is thought to be dead. Less than the time after which it is. */
const LATE_RENEWAL_MS = 35_000;

/**
 * Returns the keys of the nodes to look at after a change. Most renewals of leases need nothing: the sync of a node that is alive has asked to be run again when its lease would have ended. When a node becomes ready
 * or is no longer, the others that are not ready are looked at too, because they share the permission to evict pods.
 */
export async function keysForChange(registry: RegistryReader, change: Change): Promise<readonly KeyToSend[]> {
  if (change.resource === LEASES) return keysForLease(change);
  if (change.resource !== 'nodes' || change.type === 'DELETED') return [];
  const { before, after } = change as { before?: Node; after: Node };
  if (before && !concernsHealth(before, after)) return [];
  const own = { key: keyOf(after.metadata.name) };
  return before && isNodeReady(before) !== isNodeReady(after) ? [own, ...(await unreadyNodes(registry, after))] : [own];
}

/** The key of a node. */
export function keyOf(name: string): WorkKey {
  return { controller: 'nodelifecycle', namespace: '', name };
}

function keysForLease({ before, after }: Change): readonly KeyToSend[] {
  if (!after || after.metadata.namespace !== LEASE_NAMESPACE) return [];
  const gapMs = before ? renewedAtMs(after) - renewedAtMs(before) : Number.POSITIVE_INFINITY;
  return gapMs < LATE_RENEWAL_MS ? [] : [{ key: keyOf(after.metadata.name) }];
}

function renewedAtMs({ spec }: Stored<Lease>): number {
  const ms = Date.parse(spec?.renewTime ?? '');
  return Number.isNaN(ms) ? 0 : ms;
}

/** A kubelet reports its status every few minutes, also if nothing has changed but the times of its heartbeats. */
function concernsHealth(before: Node, after: Node): boolean {
  return !jsonEqual(before.spec, after.spec) || !jsonEqual(statuses(before), statuses(after));
}

function statuses({ status }: Node): readonly string[] {
  return (status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`);
}

async function unreadyNodes(registry: RegistryReader, changed: Node): Promise<readonly KeyToSend[]> {
  const { items } = await registry.list<Node>('nodes');
  return items
    .filter((node) => node.metadata.name !== changed.metadata.name && !isNodeReady(node))
    .map(({ metadata }) => ({ key: keyOf(metadata.name) }));
}
