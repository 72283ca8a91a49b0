import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { podQosClass } from '../../objects/podQosClass.ts';
import { kubeletConditions } from './kubeletConditions.ts';
import { podAddresses } from './podAddresses.ts';
import { podPhase } from './podPhase.ts';

/** What a kubelet knows of a pod besides what the pod says. */
export interface PodFacts {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  readonly startTime: string;
  /** True once it has a network, so that containers can be created. */
  readonly hasSandbox: boolean;
  readonly problems: readonly string[];
  /** True when no container will be started again. */
  readonly isLast?: boolean;
}

/** The whole status as a kubelet writes it; what others have set in it stays. Pure. */
export function podStatus(pod: Pod, nodes: readonly Node[], facts: PodFacts, nowMs: number): PodStatus {
  const { reason: _reason, message: _message, ...kept } = pod.status ?? {};
  const { initStatuses, statuses, startTime, hasSandbox } = facts;
  const phase = podPhase(pod, facts, facts.isLast);
  return {
    ...kept,
    phase,
    conditions: kubeletConditions(pod, { ...facts, phase }, nowMs),
    ...podAddresses(pod, nodes, hasSandbox),
    startTime,
    ...(initStatuses.length > 0 && { initContainerStatuses: [...initStatuses] }),
    containerStatuses: [...statuses],
    qosClass: kept.qosClass ?? podQosClass(pod.spec ?? { containers: [] }),
  };
}
