import type { SharedWatch } from './SharedWatch.ts';
import type { CountSample, PageMessage } from '../views/PageViews.ts';

/** The lists of a message. */
export type ListName = 'workloads' | 'replicaSets' | 'pods' | 'events';

/** What one page follows. */
export interface PageTopic {
  /** The watches that it needs. */
  readonly watches: readonly Pick<SharedWatch, 'follow' | 'isKnown' | 'problem'>[];
  /** All that the page should see now, by id. */
  all(): Map<string, Shown>;
  /** What a changed object is to the page, by id; `undefined` for what is gone. Empty: nothing to this page. */
  changed(object: object): ReadonlyMap<string, Shown | undefined>;
  /** How many pods there are now. */
  sample?(): CountSample | undefined;
}

/** Something that a page shows, with the list to which it belongs. */
export interface Shown {
  readonly list: ListName;
  readonly view: { readonly id: string };
}

/** A message that says nothing yet. */
export function emptyMessage(nowMs: number, isVirtual: boolean): PageMessage {
  return { nowMs, isVirtual, workloads: [], replicaSets: [], pods: [], events: [], gone: [], samples: [] };
}
