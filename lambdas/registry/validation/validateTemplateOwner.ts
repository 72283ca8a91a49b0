import type { StatefulSetSpec } from 'kubernetes-types/apps/v1.js';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { compileLabelSelector } from '../../objects/labelSelector.ts';
import type { Check } from './checks.ts';
import { invalid, required } from './fieldErrors.ts';
import { fieldsOf, isPresent, textEntriesOf } from './fieldsOf.ts';
import { readSelector } from './readSelector.ts';
import { requirementCount, validateLabelSelector } from './validateLabels.ts';
import { validatePodTemplate } from './validatePodTemplate.ts';
import { mismatch } from './validateWorkload.ts';

/** Checks the selector and the template of a StatefulSet or DaemonSet, whose pods always restart. `kind` is the owner as messages name it. */
export function selectorAndTemplate(kind: string): Check {
  return (value, path) => {
    const { selector, template } = fieldsOf<StatefulSetSpec>(value);
    return [
      ...selectorErrors(selector, kind, `${path}.selector`),
      ...selectionErrors(selector, template, `${path}.template`),
      ...validatePodTemplate(template, kind, `${path}.template`),
    ];
  };
}

function selectorErrors(selector: unknown, kind: string, path: string): FieldError[] {
  if (!isPresent(selector)) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  if (errors.length > 0 || requirementCount(selector) > 0) return errors;
  return [invalid(path, selector, `empty selector is invalid for ${kind.toLowerCase()}`)];
}

/** A missing or wrong selector is reported by itself. */
function selectionErrors(selector: unknown, template: unknown, path: string): FieldError[] {
  if (!isPresent(selector) || validateLabelSelector(selector, '').length > 0) return [];
  const { labels } = fieldsOf<ObjectMeta>(fieldsOf<PodTemplateSpec>(template).metadata);
  const matches = compileLabelSelector(readSelector(selector));
  return matches(Object.fromEntries(textEntriesOf(labels))) ? [] : [mismatch(labels, path)];
}
