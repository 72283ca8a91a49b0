import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { NodeCondition } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import type { Node } from '../../objects/kinds.ts';
import { nodeConditionOf } from '../../objects/nodes/nodeState.ts';
import { formatTime } from '../../ports/Clock.ts';

/** kube-controller-manager's `--node-monitor-grace-period` and `--node-startup-grace-period`. */
const MONITOR_GRACE_MS = 40_000;
const STARTUP_GRACE_MS = 60_000;

/** The conditions that a kubelet reports. Others, such as NetworkUnavailable, are reported by somebody else. */
const KUBELET_CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

export type NodeHealth =
  /** The kubelet has given a sign of life, and the next one may come until `staleInMs` from now. */
  | { readonly health: 'alive'; readonly staleInMs: number }
  /** It has given none for too long. `conditions`: those of the node from now on. They are the node's own if everything is said. */
  | { readonly health: 'silent'; readonly conditions: readonly NodeCondition[] };

/**
 * Decides whether a node's kubelet is alive, as `tryUpdateNodeHealth`. Kubernetes measures from when it saw a sign of life, because a node's clock may be wrong. Here it is measured from when the API server stored it,
 * which every process can read. Pure.
 */
export function decideNodeHealth(node: Node, lease: Stored<Lease> | undefined, nowMs: number): NodeHealth {
  const graceMs = nodeConditionOf(node, 'Ready') ? MONITOR_GRACE_MS : STARTUP_GRACE_MS;
  // A sign that is ahead of the clock was given before the clock was set back.
  const lastMs = Math.min(lastSignMs(node, lease), nowMs);
  const staleInMs = lastMs + graceMs - nowMs;
  // The grace period's last moment is still part of it.
  if (staleInMs >= 0) return { health: 'alive', staleInMs: staleInMs + 1 };
  return { health: 'silent', conditions: unknownConditions(node, formatTime(nowMs)) };
}

/** When the node was registered, last reported its status, or renewed its lease. */
function lastSignMs(node: Node, lease: Stored<Lease> | undefined): number {
  const signs = [
    node.metadata.creationTimestamp,
    nodeConditionOf(node, 'Ready')?.lastHeartbeatTime,
    ...(lease ? renewalsOf(lease) : []),
  ];
  return Math.max(...signs.map((time) => Date.parse(time ?? '')).filter((ms) => !Number.isNaN(ms)), 0);
}

/** The times at which the API server stored renewals. Without them, what the kubelet's own clock said. */
function renewalsOf({ metadata, spec }: Stored<Lease>): readonly string[] {
  const stored = (metadata.managedFields ?? []).flatMap(({ time }) => (time === undefined ? [] : [time]));
  return stored.length > 0 ? stored : [spec?.renewTime ?? ''];
}

function unknownConditions(node: Node, now: string): readonly NodeCondition[] {
  const conditions = node.status?.conditions ?? [];
  const changed = conditions.map((condition) =>
    KUBELET_CONDITIONS.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        }
      : condition,
  );
  const missing = KUBELET_CONDITIONS.filter((type) => !conditions.some((condition) => condition.type === type));
  return [
    ...changed,
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: node.metadata.creationTimestamp,
      lastTransitionTime: now,
    })),
  ];
}
