import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** The fields that have different names in events.k8s.io/v1 and core/v1. All others have the same name. */
const RENAMED: readonly (readonly [eventsApi: string, core: string])[] = [
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** Converts an event from events.k8s.io/v1 to core/v1. Changes the draft. */
export function eventToStorage(draft: KubernetesObject): void {
  for (const [eventsApi, core] of RENAMED) rename(draft, eventsApi, core);
}

/** Converts an event from core/v1 to events.k8s.io/v1, which unlike core/v1 shows no empty reporter. Changes the draft. */
export function eventFromStorage(draft: KubernetesObject): void {
  for (const [eventsApi, core] of RENAMED) rename(draft, core, eventsApi);
  for (const reporter of ['reportingController', 'reportingInstance'])
    if (draft[reporter] === '') delete draft[reporter];
}

function rename(draft: KubernetesObject, from: string, to: string): void {
  const value = draft[from];
  // A member that only the other form has must not be taken for the renamed one.
  delete draft[from];
  if (value === undefined) delete draft[to];
  else draft[to] = value;
}
