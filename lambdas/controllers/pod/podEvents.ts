import type { Container, ContainerStateWaiting, ContainerStatus } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';
import { jsonEqual } from '../../objects/json.ts';
import { RESIZE_IN_PROGRESS, RESIZE_PENDING, type ResizeCondition } from '../../objects/pods/podResize.ts';
import { podConditionOf } from '../../objects/pods/podState.ts';
import type { MissingObjects } from '../../ports/PodRuntime.ts';
import type { EventToRecord } from '../EventRecorder.ts';

/** Returns the scheduler's events about a change that it made: it found a node, or it did not. Pure. */
export function schedulerEventsOf(before: Pod, after: Pod): EventToRecord[] {
  const { namespace = '', name } = after.metadata;
  const nodeName = after.spec?.nodeName;
  if (nodeName && !before.spec?.nodeName)
    return [normal(after, 'Scheduled', `Successfully assigned ${namespace}/${name} to ${nodeName}`)];
  const scheduled = podConditionOf(after, 'PodScheduled');
  const isNews = scheduled?.message !== podConditionOf(before, 'PodScheduled')?.message;
  if (scheduled?.reason !== 'Unschedulable' || !isNews) return [];
  return [warning(after, 'FailedScheduling', scheduled.message ?? '')];
}

/** Returns the kubelet's events about the containers whose state differs between `before` and `after`. Pure. */
export function kubeletEventsOf(before: Pod, after: Pod): EventToRecord[] {
  const earlier = statusesOf(before);
  const ofContainers = [...statusesOf(after)].flatMap(([name, status]) =>
    fromNode(after, name, containerEvents(after, earlier.get(name), status)),
  );
  const ofPod = (events: readonly EventToRecord[]) => events.map((event) => ({ ...event, host: after.spec?.nodeName }));
  return [...ofPod(deadlineEvents(before, after)), ...ofContainers, ...ofPod(resizeEvents(before, after))];
}

/** The kubelet's event about a pod that has exceeded its activeDeadlineSeconds. */
function deadlineEvents(before: Pod, after: Pod): EventToRecord[] {
  if (!hasExceededDeadline(after) || hasExceededDeadline(before)) return [];
  return [normal(after, 'DeadlineExceeded', after.status?.message ?? '')];
}

function hasExceededDeadline({ status }: Pod): boolean {
  return status?.reason === 'DeadlineExceeded';
}

/** The kubelet's events about the pod's resources: a resize has to wait, has begun, or has ended. */
function resizeEvents(before: Pod, after: Pod): EventToRecord[] {
  const conditionOf = (pod: Pod, type: string): ResizeCondition | undefined => podConditionOf(pod, type);
  const [was, is] = [conditionOf(before, RESIZE_PENDING), conditionOf(after, RESIZE_PENDING)];
  const [wasBegun, isBegun] = [conditionOf(before, RESIZE_IN_PROGRESS), conditionOf(after, RESIZE_IN_PROGRESS)];
  const { generation } = after.metadata;
  const isNews = !jsonEqual(
    [was?.reason, was?.message, was?.observedGeneration],
    [is?.reason, is?.message, is?.observedGeneration],
  );
  return [
    ...(is && isNews
      ? [warning(after, `Resize${is.reason}`, `Pod resize ${is.reason}: ${sizeText(after, is.message)}`)]
      : []),
    ...(isBegun && wasBegun?.observedGeneration !== isBegun.observedGeneration
      ? [normal(after, 'ResizeStarted', `Pod resize started: ${sizeText(after)}`)]
      : []),
    ...(wasBegun && !isBegun && wasBegun.observedGeneration === generation
      ? [normal(after, 'ResizeCompleted', `Pod resize completed: ${sizeText(after)}`)]
      : []),
  ];
}

/** The resources that the pod's spec asks for, as JSON in the kubelet's form. */
function sizeText({ metadata, spec }: Pod, error?: string): string {
  const sizes = (containers: readonly Container[] = []) =>
    containers.map(({ name, resources: { limits, requests } = {} }) => ({
      name,
      resources: { ...(limits && { limits }), ...(requests && { requests }) },
    }));
  const [init, main] = [sizes(spec?.initContainers), sizes(spec?.containers)];
  return JSON.stringify({
    ...(init.length > 0 && { initContainers: init }),
    containers: main,
    generation: metadata.generation ?? 1,
    ...(error && { error }),
  });
}

/**
 * Returns the kubelet's events about a pod that waits for objects that are missing: volumes that it could not mount and, when it has tried again and nothing has changed (`isRetry`), containers that it could not create. Pure.
 */
export function missingEventsOf(pod: Pod, { mountErrors }: MissingObjects, isRetry: boolean): EventToRecord[] {
  const mounts = mountErrors.map((message) => ({
    ...warning(pod, 'FailedMount', message),
    host: pod.spec?.nodeName,
  }));
  if (!isRetry) return mounts;
  const retried = [...statusesOf(pod).values()].flatMap(({ name, state }) =>
    state?.waiting?.reason === CONFIG_ERROR
      ? fromNode(pod, name, [pulled(pod, name), warning(pod, 'Failed', `Error: ${state.waiting.message}`)])
      : [],
  );
  return [...mounts, ...retried];
}

/** Returns the kubelet's events when it stops a pod whose containers end at once. Pure. */
export function stopEventsOf(pod: Pod): EventToRecord[] {
  const running = [...statusesOf(pod).values()].filter(({ state }) => state?.running);
  return running.flatMap(({ name }) => fromNode(pod, name, [killing(pod, name)]));
}

const CONFIG_ERROR = 'CreateContainerConfigError';
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Adds what a kubelet adds to its events: the container that they are about, and the kubelet's node. */
function fromNode({ spec }: Pod, container: string, events: readonly EventToRecord[]): EventToRecord[] {
  const list = LISTS.find((one) => spec?.[one]?.some(({ name }) => name === container)) ?? 'containers';
  const fieldPath = `spec.${list}{${container}}`;
  return events.map((event) => ({ ...event, fieldPath, host: spec?.nodeName }));
}

function statusesOf({ status }: Pod): ReadonlyMap<string, ContainerStatus> {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return new Map(statuses.map((container) => [container.name, container]));
}

function containerEvents(pod: Pod, before: ContainerStatus | undefined, after: ContainerStatus): EventToRecord[] {
  const wasStarted = before?.containerID === after.containerID;
  const started = after.containerID !== undefined && !wasStarted ? startEvents(pod, before, after) : [];
  const { waiting, terminated } = after.state ?? {};
  const earlier = before?.state?.waiting;
  const isNews =
    waiting?.reason !== earlier?.reason || (waiting?.reason === CONFIG_ERROR && waiting.message !== earlier?.message);
  if (waiting && isNews) {
    const pulls = waiting.reason === CONFIG_ERROR ? pullEvents(pod, before, after) : [];
    return [...started, ...pulls, ...waitingEvents(pod, after.name, waiting)];
  }
  const isStopped = pod.metadata.deletionTimestamp !== undefined || hasExceededDeadline(pod);
  const wasStopped = terminated && before?.state?.running && isStopped;
  return wasStopped ? [killing(pod, after.name)] : started;
}

/** The events of a container that starts. */
function startEvents(pod: Pod, before: ContainerStatus | undefined, after: ContainerStatus): EventToRecord[] {
  return [
    ...pullEvents(pod, before, after),
    normal(pod, 'Created', 'Container created'),
    normal(pod, 'Started', 'Container started'),
  ];
}

/** A container that was created before, or could have been, finds its image on the node. So does one whose image is never pulled. */
function pullEvents(pod: Pod, before: ContainerStatus | undefined, { name }: ContainerStatus): EventToRecord[] {
  const wasPulled = before?.containerID !== undefined || before?.state?.waiting?.reason === CONFIG_ERROR;
  if (wasPulled || containerOf(pod, name)?.imagePullPolicy === 'Never') return [pulled(pod, name)];
  const image = imageOf(pod, name);
  return [
    normal(pod, 'Pulling', `Pulling image "${image}"`),
    normal(pod, 'Pulled', `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`),
  ];
}

function pulled(pod: Pod, name: string): EventToRecord {
  return normal(
    pod,
    'Pulled',
    `Container image "${imageOf(pod, name)}" already present on machine and can be accessed by the pod`,
  );
}

function waitingEvents(pod: Pod, name: string, { reason, message = '' }: ContainerStateWaiting): EventToRecord[] {
  const image = imageOf(pod, name);
  switch (reason ?? '') {
    case 'ErrImagePull':
      return [
        normal(pod, 'Pulling', `Pulling image "${image}"`),
        warning(pod, 'Failed', `Failed to pull image "${image}": ${message}`),
        warning(pod, 'Failed', 'Error: ErrImagePull'),
      ];
    case 'ImagePullBackOff':
      return [
        normal(pod, 'BackOff', `Back-off pulling image "${image}"`),
        warning(pod, 'Failed', 'Error: ImagePullBackOff'),
      ];
    case 'ErrImageNeverPull':
      return [warning(pod, 'ErrImageNeverPull', message), warning(pod, 'Failed', 'Error: ErrImageNeverPull')];
    case CONFIG_ERROR:
      return [warning(pod, 'Failed', `Error: ${message}`)];
    case 'InvalidImageName':
      return [warning(pod, 'InspectFailed', message), warning(pod, 'Failed', 'Error: InvalidImageName')];
    case 'CrashLoopBackOff': {
      const { name: podName, namespace = '', uid } = pod.metadata;
      const subject = `container ${name} in pod ${podName}_${namespace}(${uid})`;
      return [warning(pod, 'BackOff', `Back-off restarting failed ${subject}`)];
    }
    default:
      return [];
  }
}

function imageOf(pod: Pod, containerName: string): string {
  return containerOf(pod, containerName)?.image ?? '';
}

function containerOf({ spec }: Pod, containerName: string): Container | undefined {
  const containers = LISTS.flatMap((list): readonly Container[] => spec?.[list] ?? []);
  return containers.find(({ name }) => name === containerName);
}

function killing(pod: Pod, name: string): EventToRecord {
  return normal(pod, 'Killing', `Stopping container ${name}`);
}

function normal(regarding: Pod, reason: string, message: string): EventToRecord {
  return { regarding, type: 'Normal', reason, message };
}

function warning(regarding: Pod, reason: string, message: string): EventToRecord {
  return { regarding, type: 'Warning', reason, message };
}
