import type { Node } from '../../objects/kinds.ts';
import { isNodeReady, NODE_TAINTS, noExecuteTaints } from '../../objects/nodes/nodeState.ts';
import type { EvictionPermit } from './decideTaints.ts';

/** kube-controller-manager's `--unhealthy-zone-threshold` and `--large-cluster-size-threshold`. */
const UNHEALTHY_SHARE = 0.55;
const LARGE_CLUSTER_NODES = 50;
/** One node of a zone in ten seconds: `--node-eviction-rate`. */
const EVICTION_INTERVAL_MS = 10_000;
/** In a large zone of which too many nodes are not ready: `--secondary-node-eviction-rate`. */
const SECONDARY_INTERVAL_MS = 100_000;
const EXCLUSION_LABEL = 'node.kubernetes.io/exclude-disruption';

/** Whether pods of a node may be evicted now. `retryInMs`: when to ask again; absent: when the state of a node changes. */
export interface PermitDecision {
  readonly permit: EvictionPermit;
  readonly retryInMs?: number;
}

/**
 * Decides whether a node that is not ready may get the taint that evicts its pods, as `handleDisruption`: in a zone one node in ten seconds, fewer or none if too many of its nodes are not ready, and none in a
 * cluster without a ready node. Kubernetes remembers when it tainted a node; here the taints' own times say it. Pure.
 */
export function decideEvictionPermit(node: Node, nodes: readonly Node[], nowMs: number): PermitDecision {
  const judged = nodes.filter(({ metadata }) => metadata.labels?.[EXCLUSION_LABEL] === undefined);
  if (judged.length > 0 && !judged.some(isNodeReady)) return { permit: 'forbidden' };
  const zone = judged.filter((one) => zoneOf(one) === zoneOf(node));
  const intervalMs = intervalOf(zone);
  if (intervalMs === undefined) return { permit: 'notNow' };
  const others = zone.filter(({ metadata }) => metadata.name !== node.metadata.name);
  const nextMs = Math.max(...others.map(taintedAtMs), Number.NEGATIVE_INFINITY) + intervalMs;
  return nextMs > nowMs ? { permit: 'notNow', retryInMs: nextMs - nowMs } : { permit: 'allowed' };
}

/** The time between two nodes of a zone; `undefined`: none is tainted. */
function intervalOf(zone: readonly Node[]): number | undefined {
  const ready = zone.filter(isNodeReady).length;
  const unready = zone.length - ready;
  const isPartial = ready > 0 && unready > 2 && unready / zone.length >= UNHEALTHY_SHARE;
  if (!isPartial) return EVICTION_INTERVAL_MS;
  return zone.length > LARGE_CLUSTER_NODES ? SECONDARY_INTERVAL_MS : undefined;
}

function zoneOf({ metadata: { labels = {} } }: Node): string {
  return `${labels['topology.kubernetes.io/region'] ?? ''}/${labels['topology.kubernetes.io/zone'] ?? ''}`;
}

/** When the node got the taint that evicts its pods. */
function taintedAtMs(node: Node): number {
  const times = noExecuteTaints(node)
    .filter(({ key }) => key === NODE_TAINTS.notReady || key === NODE_TAINTS.unreachable)
    .map(({ timeAdded }) => Date.parse(timeAdded ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  return Math.max(...times, Number.NEGATIVE_INFINITY);
}
