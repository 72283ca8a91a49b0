import type { NodeCondition, Taint } from 'kubernetes-types/core/v1.js';
import type { Node } from '../kinds.ts';

/** The taints that Kubernetes' node controllers add, by what they stand for. */
export const NODE_TAINTS = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  outOfService: 'node.kubernetes.io/out-of-service',
} as const;

/** Returns the node's condition of that type, if its status has one. */
export function nodeConditionOf({ status }: Pick<Node, 'status'>, type: string): NodeCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** True if the node's Ready condition is true. */
export function isNodeReady(node: Pick<Node, 'status'>): boolean {
  return nodeConditionOf(node, 'Ready')?.status === 'True';
}

/** Returns the node's taints that drive pods away. */
export function noExecuteTaints({ spec }: Pick<Node, 'spec'>): readonly Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}
