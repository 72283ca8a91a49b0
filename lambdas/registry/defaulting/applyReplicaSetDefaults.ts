import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from './applyPodSpecDefaults.ts';
import { childDraft, dropZero, fillAbsent } from './drafts.ts';

/** Defaults of apps/v1 (and apps/v1beta2) ReplicaSets. */
export function applyReplicaSetDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'minReadySeconds');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillAbsent(spec, 'replicas', 1);
}
