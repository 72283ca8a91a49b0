import type { ResourceEntry } from '../ResourceEntry.ts';
import { eventsTable } from '../tables/eventsTable.ts';
import { eventFromStorage, eventToStorage } from './convertEvent.ts';
import { selectFields } from './selectFields.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';
import { validateEvent } from './validateEvent.ts';

const OBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const EVENTS_API_LABELS = {
  ...Object.fromEntries(OBJECT_FIELDS.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
  reportingController: 'reportingComponent',
};

/** One resource under two APIs: core/v1, in which it is stored, and events.k8s.io/v1 with other names for the same fields. */
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
      toStorage: eventToStorage,
      fromStorage: eventFromStorage,
      fieldLabels: EVENTS_API_LABELS,
    },
  ],
  strategy: {
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
    // The deprecated field answers for events that have only the new one.
    return { ...rest, source: component === '' ? (fields['reportingComponent'] ?? '') : component };
  },
};
