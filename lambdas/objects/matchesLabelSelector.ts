import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { compileLabelSelector } from './labelSelector.ts';

/** Whether an object with these labels is selected, for who asks about one object only (see `compileLabelSelector`). Pure. */
export function matchesLabelSelector(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return compileLabelSelector(selector)(labels);
}
