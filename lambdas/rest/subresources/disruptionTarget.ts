import type { PodCondition } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { podConditionOf } from '../../objects/podState.ts';

const TARGET = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' } as const;
const MESSAGE = 'Eviction API: evicting';

/** The pod with the condition of an evicted one, in Kubernetes' words. `now` is RFC 3339. A pod that has it already stays as it is. Pure. */
export function withDisruptionTarget(pod: Pod, now: string): Pod {
  const before = podConditionOf(pod, TARGET.type);
  if (before?.status === TARGET.status && before.reason === TARGET.reason && before.message === MESSAGE) return pod;
  const since = before?.status === TARGET.status ? before.lastTransitionTime : undefined;
  const condition: PodCondition = { ...TARGET, lastTransitionTime: since ?? now, message: MESSAGE };
  const conditions = pod.status?.conditions ?? [];
  const all = before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
  return { ...pod, status: { ...pod.status, conditions: all } };
}
