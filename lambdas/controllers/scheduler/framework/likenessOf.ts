import type { Pod } from '../../../objects/kinds.ts';
import { marksOf } from './marks.ts';

/** What a pod has in common with others of its template. */
export interface Likeness {
  /** The same for all pods that no selector, term or controller can tell apart. */
  readonly text: string;
  /** By what such pods are found. */
  readonly marks: readonly string[];
}

/** So many are remembered, so that thousands of pods of one template share one. */
const MOST_KNOWN = 1_000;
const known = new Map<string, Likeness>();

/** Pure, but for what it remembers. */
export function likenessOf({ metadata, spec }: Pod, controllerUid: string): Likeness {
  const { namespace = '', labels = {}, deletionTimestamp } = metadata;
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const isEnding = deletionTimestamp !== undefined;
  const text = JSON.stringify([namespace, labels, controllerUid, isEnding, podAffinity, podAntiAffinity]);
  const likeness = known.get(text) ?? { text, marks: marksOf(labels, controllerUid) };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, likeness);
  return likeness;
}
