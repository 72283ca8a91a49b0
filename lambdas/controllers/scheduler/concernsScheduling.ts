import { jsonEqual } from '../../objects/json.ts';
import type { Node } from '../../objects/kinds.ts';
import { isNodeReady } from '../../objects/nodes/nodeState.ts';

/** True if a change of a node may change where pods can go: it became ready or unready, or its spec, labels or allocatable resources changed. Pure. */
export function concernsScheduling(before: Node, after: Node): boolean {
  return (
    isNodeReady(before) !== isNodeReady(after) ||
    !jsonEqual(before.spec, after.spec) ||
    !jsonEqual(before.status?.allocatable, after.status?.allocatable) ||
    !jsonEqual(before.metadata.labels, after.metadata.labels)
  );
}
