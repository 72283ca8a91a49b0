import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { formatLabelSelector } from '../../objects/labelSelector.ts';

const NONE = '<none>';

/** Labels as kubectl prints them, in order of their keys: `app=web,tier=front`, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([key, value]) => `${key}=${value}`).join(',') || NONE;
}

/** A label selector as kubectl prints it, in order of its keys: `app=web,tier in (a,b),!legacy`; `empty` if it has no requirement. */
export function formatSelector(selector: LabelSelector | undefined, empty = NONE): string {
  return formatLabelSelector(selector) || empty;
}
