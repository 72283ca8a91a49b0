import { applyReplicaSetDefaults } from '../defaulting/applyReplicaSetDefaults.ts';
import type { ServedVersion } from '../ResourceEntry.ts';
import { selectAndLabelAsTemplate } from './selectAndLabelAsTemplate.ts';

/**
 * ReplicaSets in all versions that Kubernetes ever served, apps/v1 being the one that is stored. In extensions/v1beta1 the selector and the labels could be left to the
 * template, and a deletion left the pods behind.
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
