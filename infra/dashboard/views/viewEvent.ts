import type { Event } from '../../../lambdas/objects/kinds.ts';
import type { EventView } from './PageViews.ts';

/** An event as a line. Pure. */
export function viewEvent(event: Event): EventView {
  const { metadata, type, reason = '', message = '', involvedObject, count = 1 } = event;
  const last = event.lastTimestamp ?? event.eventTime ?? metadata.creationTimestamp ?? '';
  return {
    id: metadata.uid,
    isWarning: type === 'Warning',
    reason,
    message,
    about: `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name ?? ''}`,
    count,
    lastAtMs: Date.parse(last),
  };
}
