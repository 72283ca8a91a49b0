import type { Event } from '../../objects/kinds.ts';
import type { TableRules } from '../ResourceEntry.ts';
import { column, wideColumn } from './column.ts';
import { ageOf } from './humanDuration.ts';

export const eventsTable: TableRules = {
  columns: [
    column('Last Seen', 'How long ago it happened last.'),
    column('Type', 'Normal, or Warning.'),
    column('Reason', 'Why it was recorded, in a word.'),
    column('Object', 'What it happened to.'),
    wideColumn('Subobject', 'The part of the object that it is about.'),
    wideColumn('Source', 'Who recorded it.'),
    column('Message', 'What happened.'),
    wideColumn('First Seen', 'How long ago it happened first.'),
    wideColumn('Count', 'How often it happened.'),
    { ...wideColumn('Name', 'The name of the event.'), format: 'name' },
  ],
  cells(object, nowMs) {
    const event = object as Event;
    const { involvedObject } = event;
    return [
      lastSeen(event, nowMs),
      event.type ?? '',
      event.reason ?? '',
      involvedObject.name ? `${kindOf(event)}/${involvedObject.name}` : kindOf(event),
      involvedObject.fieldPath ?? '',
      sourceOf(event),
      (event.message ?? '').trim(),
      firstSeen(event, nowMs),
      event.series?.count ?? (event.count || 1),
      event.metadata.name,
    ];
  },
};

function kindOf({ involvedObject }: Event): string {
  return (involvedObject.kind ?? '').toLowerCase();
}

/** The events.k8s.io form knows one time, to the microsecond; the older one knows the first and the last. */
function firstSeen({ firstTimestamp, eventTime }: Event, nowMs: number): string {
  return ageOf(firstTimestamp ?? eventTime, nowMs);
}

function lastSeen(event: Event, nowMs: number): string {
  if (event.series) return ageOf(event.series.lastObservedTime, nowMs);
  return event.lastTimestamp ? ageOf(event.lastTimestamp, nowMs) : firstSeen(event, nowMs);
}

function sourceOf({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source?.component || reportingComponent || '';
  const host = source?.host || reportingInstance || '';
  return host === '' ? component : `${component}, ${host}`;
}
