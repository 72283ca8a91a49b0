import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { Labels } from '../../../objects/selectors/labelRequirement.ts';
import { selectorRequirements } from '../../../objects/selectors/labelSelector.ts';

/** What pods are found by: the value of each label, and the controller. */
export function marksOf(labels: Labels, controllerUid: string): readonly string[] {
  const ofLabels = Object.entries(labels).map(([key, value]) => labelMark(key, value));
  return controllerUid === '' ? ofLabels : [...ofLabels, controllerMark(controllerUid)];
}

/** Those with this controller have this mark. */
export function controllerMark(uid: string): string {
  return `controller ${uid}`;
}

/** Marks that every pod has whose labels are selected. Pure. */
export function marksSelectedBy(selector: LabelSelector | undefined): readonly string[] {
  return selectorRequirements(selector ?? {}).flatMap(({ key, operator, values: [only, ...others] }) =>
    (operator === '=' || operator === 'in') && only !== undefined && others.length === 0 ? [labelMark(key, only)] : [],
  );
}

function labelMark(key: string, value: string): string {
  return `${key}=${value}`;
}
