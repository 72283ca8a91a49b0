import type { PodCondition } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../kinds.ts';
import { podConditionOf } from './podState.ts';

/** A condition without its times. */
export type NewPodCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The pod with the condition, as Kubernetes' `UpdatePodCondition`: a status that stays keeps its transition time. `now` is RFC 3339. A pod that has the condition already stays as it is. Pure. */
export function withPodCondition(pod: Pod, wanted: NewPodCondition, now: string): Pod {
  const before = podConditionOf(pod, wanted.type);
  if (before?.status === wanted.status && before.reason === wanted.reason && before.message === wanted.message)
    return pod;
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined;
  const { message, ...rest } = wanted;
  const condition: PodCondition = {
    ...rest,
    lastTransitionTime: since ?? now,
    ...(message !== undefined && { message }),
  };
  const conditions = pod.status?.conditions ?? [];
  const all = before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
  return { ...pod, status: { ...pod.status, conditions: all } };
}
