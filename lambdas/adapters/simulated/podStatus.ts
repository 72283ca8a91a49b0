import type { ContainerStatus, PodStatus } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { SizedPodSpec, SizedPodStatus } from '../../objects/pods/podLevelResources.ts';
import { amountsOf } from '../../objects/pods/podResize.ts';
import { podQosClass } from '../../objects/pods/podQosClass.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Resize } from './decideResize.ts';
import { kubeletConditions } from './kubeletConditions.ts';
import { podPhase } from './podPhase.ts';
import { madeUpNodeAddress, simulatedPodAddress } from '../../objects/simulated/simulatedAddresses.ts';
import { endContainer } from './stepContainer.ts';

/** What a kubelet knows about a pod in addition to the pod object. */
export interface PodFacts {
  readonly initStatuses: readonly ContainerStatus[];
  readonly statuses: readonly ContainerStatus[];
  readonly ephemeralStatuses: readonly ContainerStatus[];
  readonly startTime: string;
  /** True when the pod has a network, so that containers can be created. */
  readonly hasSandbox: boolean;
  readonly problems: readonly string[];
  readonly resize?: Resize | undefined;
  /** True when no container will be started again. */
  readonly isLast?: boolean;
}

/** Returns the whole status as a kubelet writes it. Fields that others have set stay. Pure. */
export function podStatus(pod: Pod, node: Node | undefined, facts: PodFacts, nowMs: number): PodStatus {
  const { reason: _reason, message: _message, ...kept } = pod.status ?? {};
  const { initStatuses, statuses, ephemeralStatuses, startTime, hasSandbox } = facts;
  const phase = podPhase(pod, facts, facts.isLast);
  return {
    ...kept,
    ...observedGeneration(pod),
    ...podResources(pod, facts.resize),
    phase,
    conditions: kubeletConditions(pod, { ...facts, phase }, nowMs),
    ...podAddresses(pod, node, hasSandbox),
    startTime,
    ...(initStatuses.length > 0 && { initContainerStatuses: [...initStatuses] }),
    containerStatuses: [...statuses],
    ...(ephemeralStatuses.length > 0 && { ephemeralContainerStatuses: [...ephemeralStatuses] }),
    qosClass: kept.qosClass ?? podQosClass(pod.spec ?? { containers: [] }),
  };
}

/** A pod that never changed has been observed: to say so would only make every pod larger. */
function observedGeneration({ metadata: { generation = 1 } }: Pod): { readonly observedGeneration?: number } {
  return generation > 1 ? { observedGeneration: generation } : {};
}

/** What a pod that has resources as a whole has of them. As for containers, it is named once they change. */
function podResources({ spec, status }: Pod, resize: Resize | undefined): SizedPodStatus {
  const { resources: had } = (status ?? {}) as SizedPodStatus;
  const { resources } = (spec ?? {}) as Partial<SizedPodSpec>;
  if (had === undefined || resources === undefined || resize === undefined || resize.step === 'pending') return {};
  const amounts = amountsOf(resources);
  return {
    ...(amounts.requests && { allocatedResources: amounts.requests }),
    ...(resize.step !== 'allocate' && { resources: amounts }),
  };
}

/** Returns the status of a pod whose running containers have all just ended with `exitCode` and will not be started again. Pure. */
export function lastPodStatus(pod: Pod, node: Node | undefined, exitCode: number, nowMs: number): PodStatus {
  return statusWithEnded(pod, node, { exitCode }, nowMs);
}

/** The containers that end, and how. */
interface Ended {
  /** Their names. Absent: all that run, and none is started again. */
  readonly ending?: ReadonlySet<string>;
  readonly exitCode: number;
}

/** Returns the status of a pod some of whose running containers have just ended. Pure. */
export function statusWithEnded(
  pod: Pod,
  node: Node | undefined,
  { ending, exitCode }: Ended,
  nowMs: number,
): PodStatus {
  const isEnding = ({ name, state }: ContainerStatus) => state?.running && (ending?.has(name) ?? true);
  const end = (status: ContainerStatus) => (isEnding(status) ? endContainer(status, exitCode, nowMs) : status);
  const facts = {
    initStatuses: (pod.status?.initContainerStatuses ?? []).map(end),
    statuses: (pod.status?.containerStatuses ?? []).map(end),
    ephemeralStatuses: (pod.status?.ephemeralContainerStatuses ?? []).map(end),
    startTime: pod.status?.startTime ?? formatTime(nowMs),
    hasSandbox: pod.status?.podIP !== undefined,
    problems: [],
    isLast: ending === undefined,
  };
  return podStatus(pod, node, facts, nowMs);
}

/** Returns the node's address and, if the pod has a network, the pod's own. An address that the status has already stays. Pure. */
function podAddresses(
  pod: Pod,
  node: Node | undefined,
  hasSandbox: boolean,
): Pick<PodStatus, 'hostIP' | 'hostIPs' | 'podIP' | 'podIPs'> {
  const nodeName = pod.spec?.nodeName ?? '';
  const address = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const hostIP = pod.status?.hostIP ?? address ?? madeUpNodeAddress(nodeName);
  const host = { hostIP, hostIPs: [{ ip: hostIP }] };
  if (!hasSandbox) return host;
  const podIP = pod.status?.podIP ?? (pod.spec?.hostNetwork ? hostIP : simulatedPodAddress(pod.metadata));
  return { ...host, podIP, podIPs: [{ ip: podIP }] };
}
