import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from './applyPodSpecDefaults.ts';
import { childDraft, dropZero, fillAbsent, isDraft, presentDraft } from './drafts.ts';

/** Defaults of a ReplicationController: its selector and its own labels are those of its template. */
export function applyReplicationControllerDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'minReadySeconds');
  const template = presentDraft(spec, 'template');
  if (template !== undefined) applyPodTemplateDefaults(template);
  fillAbsent(spec, 'replicas', 1);
  const labels = templateLabels(draft);
  if (labels === undefined) return;
  if (isEmptyMap(spec['selector'])) spec['selector'] = { ...labels };
  labelAsTemplate(draft);
}

/** The labels of `spec.template`, if it has any. */
export function templateLabels(draft: KubernetesObject): Record<string, unknown> | undefined {
  const template = presentDraft(childDraft(draft, 'spec'), 'template') ?? {};
  const metadata = presentDraft(template, 'metadata') ?? {};
  return presentDraft(metadata, 'labels');
}

/** Gives an object that has no labels those of its template. */
export function labelAsTemplate(draft: KubernetesObject): void {
  const labels = templateLabels(draft);
  const metadata = childDraft(draft, 'metadata');
  if (labels !== undefined && isEmptyMap(metadata['labels'])) metadata['labels'] = { ...labels };
}

function isEmptyMap(value: unknown): boolean {
  return value === undefined || value === null || (isDraft(value) && Object.keys(value).length === 0);
}
