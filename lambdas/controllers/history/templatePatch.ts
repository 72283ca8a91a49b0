import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { isObject, jsonEqual } from '../../objects/json.ts';
import { templatesEqual } from '../../objects/pods/podTemplateHash.ts';

/** What a revision keeps: a strategic merge patch that puts its template in the place of the owner's. */
export interface TemplatePatch {
  readonly spec: { readonly template: PodTemplateSpec & { readonly $patch: 'replace' } };
}

/** Returns the patch that brings the template back: Kubernetes' `getPatch`. Keys are sorted, as Go writes them: kubectl compares texts. Pure. */
export function templatePatch(template: PodTemplateSpec): TemplatePatch {
  return sorted({ spec: { template: { ...template, $patch: 'replace' } } }) as TemplatePatch;
}

/** Returns the template that a revision keeps: what Kubernetes' `ApplyRevision` puts into the owner's spec. A revision that somebody else made may keep none. Pure. */
export function templateOf(revision: { readonly data?: unknown }): PodTemplateSpec | undefined {
  const spec = isObject(revision.data) ? revision.data['spec'] : undefined;
  const kept = isObject(spec) ? spec['template'] : undefined;
  if (!isObject(kept)) return undefined;
  const { $patch: _, ...template } = kept;
  return template;
}

/** True if both revisions keep the same: Kubernetes' `EqualRevision`. Absent fields, nulls and empty maps of labels do not count, so revisions written by Kubernetes compare as well. Pure. */
export function equalRevision(a: { readonly data?: unknown }, b: { readonly data?: unknown }): boolean {
  const [one, other] = [templateOf(a), templateOf(b)];
  return one && other ? templatesEqual(one, other) : jsonEqual(a.data, b.data);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
