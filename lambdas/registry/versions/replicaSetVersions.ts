import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { applyPodTemplateDefaults } from '../defaulting/applyPodDefaults.ts';
import { childDraft, dropZero, fillAbsent } from '../defaulting/drafts.ts';
import type { ServedVersion } from '../ResourceEntry.ts';
import { selectAndLabelAsTemplate } from '../defaulting/templateLabels.ts';

/** Fills in the defaults of apps/v1 and apps/v1beta2 ReplicaSets. */
export function applyReplicaSetDefaults(draft: KubernetesObject): void {
  const spec = childDraft(draft, 'spec');
  dropZero(spec, 'minReadySeconds');
  applyPodTemplateDefaults(childDraft(spec, 'template'));
  fillAbsent(spec, 'replicas', 1);
}

/**
 * All versions in which Kubernetes ever served ReplicaSets; apps/v1 is stored. In extensions/v1beta1 the selector and the labels default to the
 * template's labels, and a deletion orphans the pods.
 */
export const REPLICA_SET_VERSIONS: readonly ServedVersion[] = [
  { version: 'v1', applyDefaults: applyReplicaSetDefaults },
  { version: 'v1beta2', applyDefaults: applyReplicaSetDefaults },
  {
    group: 'extensions',
    version: 'v1beta1',
    applyDefaults: (draft) => {
      applyReplicaSetDefaults(draft);
      selectAndLabelAsTemplate(draft);
    },
    defaultPropagation: 'Orphan',
  },
];
