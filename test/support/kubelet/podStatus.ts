import type { Container } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { formatTime } from '../../../lambdas/ports/Clock.ts';

const CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'] as const;

type ContainerState = (container: Container) => object;

/** The status of a pod whose images are being pulled. */
export function waitingStatus(pod: Pod): object {
  const state = { waiting: { reason: 'ContainerCreating' } };
  return statusOf(pod, 'Pending', false, () => ({ ready: false, started: false, state }));
}

/** The status of a pod whose containers run and are ready. */
export function runningStatus(pod: Pod): object {
  const state = { running: { startedAt: formatTime(Date.now()) } };
  const addresses = { podIP: '10.88.0.2', podIPs: [{ ip: '10.88.0.2' }] };
  const containers: ContainerState = ({ name }) => ({
    ready: true,
    started: true,
    containerID: containerId(pod, name),
    state,
  });
  return { ...statusOf(pod, 'Running', true, containers), ...addresses };
}

/** The status of a pod whose containers have ended because it was deleted. */
export function endedStatus(pod: Pod): object {
  const time = formatTime(Date.now());
  return statusOf(pod, pod.status?.phase ?? 'Pending', false, ({ name }) => {
    const terminated = { exitCode: 143, reason: 'Error', finishedAt: time, containerID: containerId(pod, name) };
    return { ready: false, started: false, containerID: containerId(pod, name), state: { terminated } };
  });
}

function statusOf({ spec, status }: Pod, phase: string, isReady: boolean, stateOf: ContainerState) {
  const time = formatTime(Date.now());
  const isTrue = (type: string) => isReady || type === 'Initialized' || type === 'PodScheduled';
  return {
    '$setElementOrder/conditions': CONDITIONS.map((type) => ({ type })),
    phase,
    conditions: CONDITIONS.map((type) => ({
      type,
      status: isTrue(type) ? 'True' : 'False',
      lastProbeTime: null,
      lastTransitionTime: time,
      ...(!isTrue(type) && type !== 'PodReadyToStartContainers' && { reason: 'ContainersNotReady' }),
    })),
    hostIP: '127.0.0.1',
    hostIPs: [{ ip: '127.0.0.1' }],
    startTime: status?.startTime ?? time,
    containerStatuses: (spec?.containers ?? []).map((container) => ({
      name: container.name,
      image: container.image ?? '',
      imageID: container.image ?? '',
      restartCount: 0,
      lastState: {},
      ...stateOf(container),
    })),
  };
}

function containerId({ metadata }: Pod, container: string): string {
  return `containerd://${metadata.uid}-${container}`;
}
