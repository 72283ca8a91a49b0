import { jsonEqual } from '../../objects/json.ts';
import { type Change, subjectOf } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';

/**
 * Returns the key of an autoscaler that is new, gone, or has another spec, without a read: the event handlers `enqueueHPA`, `updateHPA` and `deleteHPA`. It is looked at at once; Kubernetes waits for its next turn. Changes of a status
 * are its own. Nothing else wakes an autoscaler: it looks at its metrics by time. Pure.
 */
export function keysForChange(change: Change): readonly KeyToSend[] {
  const { before, after } = change;
  if (before && after && jsonEqual(before['spec'], after['spec'])) return [];
  const { namespace = '', name } = subjectOf(change).metadata;
  return [{ key: { controller: 'horizontalpodautoscaler', namespace, name } }];
}
