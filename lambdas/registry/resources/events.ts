import type { FieldError } from '../../objects/FieldError.ts';
import type { Event } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ResourceEntry, TableRules } from '../ResourceEntry.ts';
import { column, wideColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { invalid, required } from '../validation/fieldErrors.ts';
import { eventFromStorage, eventToStorage } from '../versions/eventVersions.ts';
import { selectFields, STANDARD_VERBS } from './standardRules.ts';

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const EVENTS_API_LABELS = {
  ...Object.fromEntries(OBJECT_FIELDS.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
  reportingController: 'reportingComponent',
};

/** The namespace of events about cluster-scoped objects. */
const DEFAULT_NAMESPACE = 'default';

/** An event is in the namespace of its object. An event about a cluster-scoped object is in `default` or, since 1.19, in kube-system. Pure. */
function validateEvent(object: KubernetesObject): FieldError[] {
  const { involvedObject, metadata } = object as Event;
  const about = involvedObject?.namespace ?? '';
  const namespace = metadata.namespace ?? '';
  if (about === '')
    return namespace === DEFAULT_NAMESPACE || namespace === 'kube-system'
      ? []
      : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
  return about === namespace ? [] : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}

/** An event of the newer API has a time, and a type that is known. Pure. */
function validateNewEvent(object: KubernetesObject): FieldError[] {
  const { eventTime, type = '' } = object as Event;
  return [
    ...(eventTime ? [] : [required('eventTime')]),
    ...(['Normal', 'Warning'].includes(type) ? [] : [invalid('type', type, `has invalid value: ${type}`)]),
  ];
}

/** The fields of an event in Kubernetes' order, with the zero values that Go shows although they are empty. */
const FIELDS: readonly (readonly [name: string, zero?: unknown])[] = [
  ['involvedObject', {}],
  ['reason'],
  ['message'],
  ['source', {}],
  ['firstTimestamp', null],
  ['lastTimestamp', null],
  ['count'],
  ['type'],
  ['eventTime', null],
  ['series'],
  ['action'],
  ['related'],
  ['reportingComponent', ''],
  ['reportingInstance', ''],
];

/** Puts an event's fields into order and fills in the zero values that are shown. They are stored, so that no answer has to add them. Changes the draft. */
function showZeroValues(draft: KubernetesObject): void {
  for (const [name, zero] of FIELDS) {
    const value = draft[name] ?? zero;
    delete draft[name];
    if (value !== undefined) draft[name] = value;
  }
}

const eventsTable: TableRules = {
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

/** The events.k8s.io form has one time, in microseconds; the older form has a first and a last time. */
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

/** Events are one resource with two APIs: core/v1, in which they are stored, and events.k8s.io/v1 with other names for the same fields. */
export const events: ResourceEntry = {
  groupResource: 'events',
  group: '',
  plural: 'events',
  singular: 'event',
  kind: 'Event',
  shortNames: ['ev'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [
    { version: 'v1' },
    {
      version: 'v1',
      group: 'events.k8s.io',
      validateNew: validateNewEvent,
      toStorage: eventToStorage,
      fromStorage: eventFromStorage,
      fieldLabels: EVENTS_API_LABELS,
    },
  ],
  strategy: {
    prepareForCreate: showZeroValues,
    prepareForUpdate: showZeroValues,
    validate: validateEvent,
    validateUpdate: validateEvent,
    allowCreateOnUpdate: true,
    collectsGarbage: false,
  },
  table: eventsTable,
  selectableFields(object) {
    const fields = selectFields(object, [
      ...OBJECT_FIELDS.map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source.component',
      'type',
    ]);
    const { 'source.component': component = '', ...rest } = fields;
    // For events with only the new field, it also answers a selector by the deprecated one.
    return { ...rest, source: component === '' ? (fields['reportingComponent'] ?? '') : component };
  },
};
