import type { Pod } from '../../objects/kinds.ts';
import { withPodCondition } from '../../objects/pods/podConditions.ts';

const TARGET = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

/** The pod with the condition of an evicted one, in Kubernetes' words. `now` is RFC 3339. A pod that has it already stays as it is. Pure. */
export function withDisruptionTarget(pod: Pod, now: string): Pod {
  return withPodCondition(pod, TARGET, now);
}
