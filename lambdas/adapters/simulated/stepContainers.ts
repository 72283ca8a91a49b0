import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { type ContainerRun, endContainer, isRestarted, stepContainer } from './stepContainer.ts';
import type { PodScript } from './parsePodScript.ts';

/** All containers of a pod, one step on. */
export interface ContainersStep {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  /** When the first of them changes by itself. */
  readonly nextAtMs?: number;
}

/**
 * Steps the containers in their order: an init container waits for those before it, regular ones for all of them, and sidecars end when the regular ones have. `createAtMs`
 * is when the first may start. Pure.
 */
export function stepContainers(pod: Pod, script: PodScript, createAtMs: number, nowMs: number): ContainersStep {
  const wakesMs: number[] = [];
  const step = (run: Pick<ContainerRun, 'container' | 'role' | 'before' | 'mayStartAtMs'>) => {
    const { status, nextAtMs } = stepContainer({ ...run, pod, script, nowMs });
    if (nextAtMs !== undefined) wakesMs.push(nextAtMs);
    return status;
  };
  let mayStartAtMs: number | undefined = createAtMs;
  const initStatuses: ContainerStatus[] = [];
  for (const container of pod.spec?.initContainers ?? []) {
    const role = roleOfInit(container);
    const before = statusOf(pod.status?.initContainerStatuses, container);
    const status: ContainerStatus = step({ container, role, before, mayStartAtMs });
    initStatuses.push(status);
    if (mayStartAtMs !== undefined) mayStartAtMs = followersStartAtMs(status, role, mayStartAtMs);
  }
  const statuses = (pod.spec?.containers ?? []).map((container) =>
    step({ container, role: 'main', before: statusOf(pod.status?.containerStatuses, container), mayStartAtMs }),
  );
  const isOver = statuses.every(
    ({ state }) => state?.terminated && !isRestarted({ pod, role: 'main' }, state.terminated.exitCode),
  );
  const nextAtMs = wakesMs.length > 0 ? Math.min(...wakesMs) : undefined;
  return {
    initStatuses: isOver
      ? initStatuses.map((status) => (status.state?.running ? endContainer(status, 0, nowMs) : status))
      : initStatuses,
    statuses,
    ...(nextAtMs !== undefined && { nextAtMs }),
  };
}

/** An init container with restart policy Always is a sidecar. */
export function roleOfInit(container: Container): 'init' | 'sidecar' {
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}

/** When what comes behind an init container may start; `undefined` as long as it may not. */
function followersStartAtMs(
  status: ContainerStatus,
  role: 'init' | 'sidecar',
  mayStartAtMs: number,
): number | undefined {
  if (role === 'sidecar') return status.started ? mayStartAtMs : undefined;
  const ended = status.state?.terminated;
  if (ended?.exitCode !== 0) return undefined;
  return Math.max(mayStartAtMs, Date.parse(ended.finishedAt ?? ''));
}

function statusOf(statuses: readonly ContainerStatus[] | undefined, { name }: Container): ContainerStatus | undefined {
  return statuses?.find((status) => status.name === name);
}
