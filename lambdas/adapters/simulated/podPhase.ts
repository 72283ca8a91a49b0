import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { roleOfInit, type ContainersStep } from './stepContainers.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** Returns the phase that a kubelet derives from the containers' states. `isLast`: none of them will be started again. Pure. */
export function podPhase(
  pod: Pod,
  { initStatuses, statuses }: Pick<ContainersStep, 'initStatuses' | 'statuses'>,
  isLast = false,
): PodPhase {
  const policy = pod.spec?.restartPolicy ?? 'Always';
  const inits = initStatuses.filter(({ name }) => isInit(pod, name));
  if (policy === 'Never' && inits.some(hasFailed)) return 'Failed';
  if (
    !isLast &&
    uninitialized(pod, initStatuses).length > 0 &&
    !statuses.some(({ started, state }) => started || state?.terminated)
  )
    return 'Pending';
  if (statuses.some(isWaitingForStart)) return 'Pending';
  // While a sidecar is still to end, the pod has not ended.
  if ([...initStatuses, ...statuses].some(({ state }) => state?.running)) return 'Running';
  if (!isLast && (policy === 'Always' || (policy === 'OnFailure' && statuses.some(hasFailed)))) return 'Running';
  return statuses.some(hasFailed) ? 'Failed' : 'Succeeded';
}

/** Returns the names of the init containers for which the others wait. */
export function uninitialized(pod: Pod, initStatuses: readonly ContainerStatus[]): string[] {
  const statuses = initStatuses.filter(({ name, state, started }) =>
    isInit(pod, name) ? state?.terminated?.exitCode !== 0 : !started && !state?.terminated,
  );
  return statuses.map(({ name }) => name);
}

function isInit(pod: Pod, name: string): boolean {
  return (
    pod.spec?.initContainers?.some((container) => container.name === name && roleOfInit(container) === 'init') === true
  );
}

/** True for a container that waits and has never been started. */
function isWaitingForStart({ state, lastState }: ContainerStatus): boolean {
  return state?.waiting !== undefined && lastState?.terminated === undefined;
}

function hasFailed({ state, lastState }: ContainerStatus): boolean {
  const ended = state?.terminated ?? (state?.waiting ? lastState?.terminated : undefined);
  return ended !== undefined && ended.exitCode !== 0;
}
