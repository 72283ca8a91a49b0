import type { ResourceEntry } from '../ResourceEntry.ts';
import { nodesTable } from '../tables/nodesTable.ts';
import { immutableField } from './immutableField.ts';
import { selectFields } from './selectFields.ts';
import { STANDARD_VERBS } from './standardVerbs.ts';

const FIXED = ['podCIDR', 'podCIDRs', 'providerID'];

export const nodes: ResourceEntry = {
  groupResource: 'nodes',
  group: '',
  plural: 'nodes',
  singular: 'node',
  kind: 'Node',
  shortNames: ['no'],
  namespaced: false,
  verbs: STANDARD_VERBS,
  storageVersion: 'v1',
  versions: [{ version: 'v1' }],
  strategy: {
    // A kubelet registers its node with its status in one request.
    keepsStatusOnCreate: true,
    validateUpdate: (object, old) => {
      const spec = (object['spec'] ?? {}) as Record<string, unknown>;
      const before = (old['spec'] ?? {}) as Record<string, unknown>;
      return FIXED.filter((field) => (before[field] ?? '') !== '').flatMap((field) =>
        immutableField(`spec.${field}`, spec[field], before[field]),
      );
    },
  },
  status: true,
  table: nodesTable,
  selectableFields: (object) => selectFields(object, ['spec.unschedulable'], { 'spec.unschedulable': 'false' }),
};
