import type { Container, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import { type ContainerRun, endContainer, isRestarted, stepContainer } from './stepContainer.ts';
import { parseImageReference } from './parseImageReference.ts';

/** The exit code after SIGKILL. */
export const KILLED = 137;

/** The statuses of all containers of a pod after one step. */
export interface ContainersStep {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  readonly ephemeralStatuses: readonly ContainerStatus[];
  /** When the first of them changes without an event from outside. */
  readonly nextAtMs?: number;
}

/** What determines the next states of a pod's containers, besides the pod. */
interface PodRun extends Pick<ContainerRun, 'script' | 'resize'> {
  /** When the first container may be created; infinite while volumes are missing. */
  readonly createAtMs: number;
  /** Why containers cannot be created, by their names. */
  readonly configErrors: ReadonlyMap<string, string>;
  readonly node: Node | undefined;
}

/**
 * Steps the containers in their order: an init container waits for those before it, regular containers wait for all init containers, and sidecars end after the
 * regular containers. Ephemeral containers wait for nobody, and nobody for them. Pure.
 */
export function stepContainers(
  pod: Pod,
  { script, resize, createAtMs, configErrors, node }: PodRun,
  nowMs: number,
): ContainersStep {
  const wakesMs: number[] = [];
  const step = (run: Pick<ContainerRun, 'container' | 'role' | 'before' | 'mayStartAtMs'>) => {
    const configError = configErrors.get(run.container.name);
    const isPresent = script.imagePresent || hasImage(node, run.container.image ?? '');
    const { status, nextAtMs } = stepContainer({
      ...run,
      pod,
      script,
      resize,
      nowMs,
      configError,
      hasImage: isPresent,
    });
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
  const ephemeralStatuses = (pod.spec?.ephemeralContainers ?? []).map((container) => {
    const before = statusOf(pod.status?.ephemeralContainerStatuses, container);
    const { started: _, ...status } = step({ container, role: 'ephemeral', before, mayStartAtMs: createAtMs });
    return status;
  });
  const isOver = statuses.every(
    ({ state }) => state?.terminated && !isRestarted({ pod, role: 'main' }, state.terminated.exitCode),
  );
  const nextAtMs = wakesMs.length > 0 ? Math.min(...wakesMs) : undefined;
  const endedIfOver = (others: readonly ContainerStatus[], exitCode: number) =>
    isOver ? others.map((status) => (status.state?.running ? endContainer(status, exitCode, nowMs) : status)) : others;
  return {
    initStatuses: endedIfOver(initStatuses, 0),
    statuses,
    ephemeralStatuses: endedIfOver(ephemeralStatuses, KILLED),
    ...(nextAtMs !== undefined && { nextAtMs }),
  };
}

/** Returns the role of an init container: it is a sidecar if its restart policy is Always. */
export function roleOfInit(container: Container): 'init' | 'sidecar' {
  return container.restartPolicy === 'Always' ? 'sidecar' : 'init';
}

/** Returns when the containers after an init container may start; `undefined` while they may not. */
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

/** Whether the node has the image, as its `status.images` says. A simulated node has no others, also none that its pods have pulled. Pure. */
function hasImage(node: Node | undefined, image: string): boolean {
  const images = node?.status?.images ?? [];
  if (images.length === 0) return false;
  const wanted = canonicalName(image);
  return images.some(({ names = [] }) => names.some((name) => canonicalName(name) === wanted));
}

function canonicalName(image: string): string {
  const reference = parseImageReference(image);
  return 'error' in reference ? image : reference.canonical;
}
