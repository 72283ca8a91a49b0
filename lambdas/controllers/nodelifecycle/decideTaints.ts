import type { Taint } from 'kubernetes-types/core/v1.js';
import type { Node } from '../../objects/kinds.ts';
import { NODE_TAINTS, nodeConditionOf } from '../../objects/nodes/nodeState.ts';

/** The taint that stands for a condition with that status. */
const CONDITION_TAINTS: readonly (readonly [type: string, status: string, key: string])[] = [
  ['Ready', 'False', NODE_TAINTS.notReady],
  ['Ready', 'Unknown', NODE_TAINTS.unreachable],
  ['MemoryPressure', 'True', NODE_TAINTS.memoryPressure],
  ['DiskPressure', 'True', NODE_TAINTS.diskPressure],
  ['NetworkUnavailable', 'True', NODE_TAINTS.networkUnavailable],
  ['PIDPressure', 'True', NODE_TAINTS.pidPressure],
];
const NO_SCHEDULE_KEYS: ReadonlySet<string> = new Set([
  ...CONDITION_TAINTS.map(([, , key]) => key),
  NODE_TAINTS.unschedulable,
]);
const NO_EXECUTE_KEYS: ReadonlySet<string> = new Set([NODE_TAINTS.notReady, NODE_TAINTS.unreachable]);

/** What may happen to the pods of a node that is not ready. */
export type EvictionPermit =
  /** They may be evicted. */
  | 'allowed'
  /** Too many nodes are in the same state, or another one was tainted a moment ago: no taint is added, and one that exists stays. */
  | 'notNow'
  /** No node of the cluster is ready, so the fault is probably not the nodes': existing taints go away. */
  | 'forbidden';

/**
 * Returns the taints of a node from now on: those that stand for its conditions and its `unschedulable`, as `doNoScheduleTaintingPass`, those that evict its pods, as `processTaintBaseEviction`, and all others as
 * they are. The same array if nothing changes. `now` is RFC 3339. Pure.
 */
export function decideTaints(node: Node, permit: EvictionPermit, now: string): readonly Taint[] {
  const taints = node.spec?.taints ?? [];
  const wanted = [...noScheduleTaints(node), ...noExecuteTaintsOf(node, permit, taints)];
  const isOurs = ({ key, effect }: Taint) =>
    (effect === 'NoSchedule' && NO_SCHEDULE_KEYS.has(key)) || (effect === 'NoExecute' && NO_EXECUTE_KEYS.has(key));
  const isSame = (one: Taint) => (other: Taint) => one.key === other.key && one.effect === other.effect;
  const kept = taints.filter((taint) => !isOurs(taint) || wanted.some(isSame(taint)));
  const added = wanted.filter((taint) => !taints.some(isSame(taint)));
  if (added.length === 0 && kept.length === taints.length) return taints;
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: now }))];
}

function noScheduleTaints(node: Node): readonly Taint[] {
  const keys = CONDITION_TAINTS.filter(([type, status]) => nodeConditionOf(node, type)?.status === status).map(
    ([, , key]) => key,
  );
  const all = node.spec?.unschedulable === true ? [...keys, NODE_TAINTS.unschedulable] : keys;
  return all.map((key) => ({ key, effect: 'NoSchedule' }));
}

/** A node that has one of the two taints already gets the other one at once when its condition changes. */
function noExecuteTaintsOf(node: Node, permit: EvictionPermit, taints: readonly Taint[]): readonly Taint[] {
  const status = nodeConditionOf(node, 'Ready')?.status;
  if (permit === 'forbidden' || (status !== 'False' && status !== 'Unknown')) return [];
  const isTainted = taints.some(({ key, effect }) => effect === 'NoExecute' && NO_EXECUTE_KEYS.has(key));
  if (permit === 'notNow' && !isTainted) return [];
  return [{ key: status === 'False' ? NODE_TAINTS.notReady : NODE_TAINTS.unreachable, effect: 'NoExecute' }];
}
