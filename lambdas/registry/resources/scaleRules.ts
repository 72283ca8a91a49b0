import { formatLabelSelector } from '../../objects/labelSelector.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import type { ScaleRules } from '../ResourceEntry.ts';

interface Scalable {
  spec?: { replicas?: number; selector?: LabelSelector | Record<string, string> };
  status?: { replicas?: number };
}

/** The scale subresource over `spec.replicas` and `status.replicas`; `readSelector` says how the kind writes its selector. */
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
