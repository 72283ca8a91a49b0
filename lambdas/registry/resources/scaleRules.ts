import type { Scale } from 'kubernetes-types/autoscaling/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { formatLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { ScaleRules, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';

interface Scalable {
  spec?: { replicas?: number; selector?: LabelSelector | Record<string, string> };
  status?: { replicas?: number };
}

/** The scale subresource over `spec.replicas` and `status.replicas`. `readSelector` converts the kind's selector into a LabelSelector. */
export function scaleRules(readSelector: (selector: object) => LabelSelector): ScaleRules {
  return {
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    replicas(object) {
      const { spec, status } = object as unknown as Scalable;
      return {
        spec: spec?.replicas ?? 0,
        status: status?.replicas ?? 0,
        selector: formatLabelSelector(readSelector(spec?.selector ?? {})),
      };
    },
    setReplicas(draft, replicas) {
      draft['spec'] = { ...(draft['spec'] as object), replicas };
    },
  };
}

/** The columns of an autoscaling/v1 Scale. */
export const scaleTable: TableRules = {
  columns: [
    nameColumn,
    column('Desired', 'How many pods are wanted.', 'integer'),
    column('Available', 'How many pods there are.', 'integer'),
    { ...ageColumn, type: 'date' },
  ],
  cells: (object, nowMs) => {
    const { spec, status } = object as Scale;
    const { name, creationTimestamp } = object.metadata;
    return [name, spec?.replicas ?? 0, status?.replicas ?? 0, ageOf(creationTimestamp, nowMs)];
  },
};
