import type { PodSpec } from 'kubernetes-types/core/v1.js';
import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { podQosClass } from '../../objects/podQosClass.ts';
import { applyPodDefaults } from '../defaulting/applyPodDefaults.ts';
import type { DeleteOptions } from '../Registry.ts';
import type { ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { podsTable } from '../tables/podsTable.ts';
import { validatePod } from '../validation/validatePod.ts';
import { validatePodStatusUpdate } from '../validation/validatePodStatus.ts';
import { validatePodUpdate } from '../validation/validatePodUpdate.ts';
import { selectFields } from './selectFields.ts';
import { specChanged } from './specChanged.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

/** What was asked for, else what the pod says; none for a pod that nothing runs (any more). */
function gracePeriodSeconds(object: KubernetesObject, options: DeleteOptions): number {
  const { spec, status } = object as Pod;
  const runs = (spec?.nodeName ?? '') !== '' && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
  const seconds = options.gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30;
  return runs ? seconds : 0;
}

const strategy: Strategy = {
  prepareForCreate(draft) {
    draft['status'] = { phase: 'Pending', qosClass: podQosClass((draft['spec'] ?? { containers: [] }) as PodSpec) };
  },
  validate: validatePod,
  validateUpdate: validatePodUpdate,
  prepareForStatusUpdate(draft, old) {
    // Kubelets once lost owner references in status updates; a pod without its controller would be adopted or leak.
    const { ownerReferences } = old.metadata;
    if (ownerReferences === undefined) delete draft.metadata.ownerReferences;
    else draft.metadata.ownerReferences = copyJson(ownerReferences);
    // Decided once and for all when the pod was created.
    const qosClass = (old as Pod).status?.qosClass;
    const status = (draft as Pod).status ?? {};
    draft['status'] = qosClass === undefined ? status : { ...status, qosClass };
  },
  validateStatusUpdate: validatePodStatusUpdate,
  generationChanges: specChanged,
  gracePeriodSeconds,
};

export const pods: ResourceEntry = {
  groupResource: 'pods',
  group: '',
  plural: 'pods',
  singular: 'pod',
  kind: 'Pod',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyPodDefaults }],
  strategy,
  status: true,
  table: podsTable,
  selectableFields: (object) =>
    selectFields(
      object,
      [
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'spec.hostNetwork',
        'status.phase',
        'status.podIP',
        'status.nominatedNodeName',
      ],
      { 'spec.hostNetwork': 'false' },
    ),
};
