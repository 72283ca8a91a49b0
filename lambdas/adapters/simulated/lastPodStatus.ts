import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { podStatus } from './podStatus.ts';
import { endContainer } from './stepContainer.ts';

/** The status of a pod all of whose running containers have just ended with `exitCode`, never to be started again. Pure. */
export function lastPodStatus(pod: Pod, nodes: readonly Node[], exitCode: number, nowMs: number): PodStatus {
  const end = (status: ContainerStatus) => (status.state?.running ? endContainer(status, exitCode, nowMs) : status);
  const facts = {
    initStatuses: (pod.status?.initContainerStatuses ?? []).map(end),
    statuses: (pod.status?.containerStatuses ?? []).map(end),
    startTime: pod.status?.startTime ?? formatTime(nowMs),
    hasSandbox: pod.status?.podIP !== undefined,
    problems: [],
    isLast: true,
  };
  return podStatus(pod, nodes, facts, nowMs);
}
