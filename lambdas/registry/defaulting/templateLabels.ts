import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { childDraft, isDraft, presentDraft } from './drafts.ts';

/** Returns the labels of `spec.template`, if it has any. */
export function templateLabels(draft: KubernetesObject): Record<string, unknown> | undefined {
  const template = presentDraft(childDraft(draft, 'spec'), 'template') ?? {};
  const metadata = presentDraft(template, 'metadata') ?? {};
  return presentDraft(metadata, 'labels');
}

/** Gives an object without labels the labels of its template. */
export function labelAsTemplate(draft: KubernetesObject): void {
  const labels = templateLabels(draft);
  const metadata = childDraft(draft, 'metadata');
  if (labels !== undefined && isEmptyMap(metadata['labels'])) metadata['labels'] = { ...labels };
}

/** True for an absent map and for one without entries. */
export function isEmptyMap(value: unknown): boolean {
  return value === undefined || value === null || (isDraft(value) && Object.keys(value).length === 0);
}
