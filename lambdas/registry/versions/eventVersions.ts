import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** What events.k8s.io/v1 calls by another name than core/v1. The rest has the same name in both. */
const RENAMED: readonly (readonly [eventsApi: string, core: string])[] = [
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** From the shape of events.k8s.io/v1 to that of core/v1. Changes the draft. */
export function eventToStorage(draft: KubernetesObject): void {
  for (const [eventsApi, core] of RENAMED) rename(draft, eventsApi, core);
}

/** From the shape of core/v1 to that of events.k8s.io/v1. Changes the draft. */
export function eventFromStorage(draft: KubernetesObject): void {
  for (const [eventsApi, core] of RENAMED) rename(draft, core, eventsApi);
}

function rename(draft: KubernetesObject, from: string, to: string): void {
  const value = draft[from];
  // A member that this shape doesn't know must not pass for one of the other's.
  delete draft[from];
  if (value === undefined) delete draft[to];
  else draft[to] = value;
}
