import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { compileLabelSelector } from '../../../objects/selectors/labelSelector.ts';
import { invalid } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textEntriesOf } from '../fieldsOf.ts';
import { readSelector } from './readSelector.ts';
import { requirementCount, validateLabelSelector } from '../validateLabels.ts';

/** True if the selector can be compiled: it is absent, or all its requirements are valid. */
export function isUsableSelector(selector: unknown): boolean {
  return !isPresent(selector) || validateLabelSelector(selector, '').length === 0;
}

/** Refuses a selector without requirements. `kind` is the owner as messages name it: `statefulset`. */
export function emptySelectorErrors(selector: unknown, kind: string, path: string): FieldError[] {
  if (!isPresent(selector) || requirementCount(selector) > 0) return [];
  return [invalid(path, selector, `empty selector is invalid for ${kind}`)];
}

/** Refuses a template that its owner's selector does not select. The selector must be usable: an absent one selects nothing, an empty one everything. */
export function selectionErrors(selector: unknown, template: unknown, path: string): FieldError[] {
  const { labels } = fieldsOf<ObjectMeta>(fieldsOf<PodTemplateSpec>(template).metadata);
  const matches = compileLabelSelector(isPresent(selector) ? readSelector(selector) : undefined);
  return matches(Object.fromEntries(textEntriesOf(labels))) ? [] : [mismatch(labels, path)];
}

/** The error of a template that its own controller does not select. */
export function mismatch(labels: unknown, templatePath: string): FieldError {
  return invalid(
    `${templatePath}.metadata.labels`,
    isPresent(labels) ? sortedMap(labels) : null,
    '`selector` does not match template `labels`',
  );
}

/** A map as Go's JSON has it: sorted by its keys. */
export function sortedMap(map: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fieldsOf<Record<string, unknown>>(map));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
