import type { Lease as ApiLease } from 'kubernetes-types/coordination/v1.js';
import type { NodeCondition } from 'kubernetes-types/core/v1.js';
import type { NewObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Node } from '../../objects/kinds.ts';
import { healthyConditions } from '../../objects/simulated/simulatedNodes.ts';
import { formatMicroTime, formatTime } from '../../ports/Clock.ts';
import { LEASE_NAMESPACE } from '../nodelifecycle/keysForChange.ts';

export type Lease = Stored<ApiLease>;

/** A kubelet renews its lease of 40 s when a quarter of it has passed. */
export const KUBELET_LEASE_PACE_MS = 10_000;
const LEASE_SECONDS = 40;
/** The reasons that a node lifecycle controller gives for a kubelet that says nothing. */
const SILENT = ['NodeStatusUnknown', 'NodeStatusNeverUpdated'];

/** Returns the lease by which a node shows that it is alive. Pure. */
export function nodeLease(nodeName: string, nowMs: number): NewObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: nodeName, namespace: LEASE_NAMESPACE },
    spec: { holderIdentity: nodeName, leaseDurationSeconds: LEASE_SECONDS, renewTime: formatMicroTime(nowMs) },
  };
}

/** A lease to renew; `lease` is undefined if the node has none. */
export interface Renewal {
  readonly nodeName: string;
  readonly lease: Lease | undefined;
}

/**
 * Decides which leases to renew now: those that will have passed the pace before the next renewal, so that the leases of all nodes are soon renewed together. No lease gets older than one and a half of the pace. Pure.
 */
export function decideRenewals(
  nodes: readonly Node[],
  leases: readonly Lease[],
  nowMs: number,
  paceMs: number,
): readonly Renewal[] {
  const byName = new Map(leases.map((lease) => [lease.metadata.name, lease]));
  return nodes
    .map(({ metadata: { name } }) => ({ nodeName: name, lease: byName.get(name) }))
    .filter(({ lease }) => nowMs - renewedAtMs(lease) >= paceMs / 2);
}

/** A lease without a time, or from a time to come, is due. */
function renewedAtMs(lease: Lease | undefined): number {
  const ms = Date.parse(lease?.spec?.renewTime ?? '');
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}

/**
 * Returns the node as its kubelet reports it again after somebody thought that it was silent, for example while this process was down; `undefined` for a node of which nobody says that. Other conditions stay: a user
 * may have written them to see what follows. Pure.
 */
export function withReport(node: Node, nowMs: number): Node | undefined {
  const conditions = node.status?.conditions ?? [];
  if (!conditions.some(isSilence)) return undefined;
  const healthy = new Map(healthyConditions(formatTime(nowMs)).map((condition) => [condition.type, condition]));
  const reported = conditions.map((condition) =>
    isSilence(condition) ? (healthy.get(condition.type) ?? condition) : condition,
  );
  return { ...node, status: { ...node.status, conditions: reported } };
}

/** True if the condition says that the kubelet has not reported. Pure. */
export function isSilence({ status, reason = '' }: NodeCondition): boolean {
  return status === 'Unknown' && SILENT.includes(reason);
}
