import type { Event, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { REVISION } from '../../../lambdas/objects/deploymentAnnotations.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodAvailable, isPodReady, podConditionOf } from '../../../lambdas/objects/podState.ts';
import { stuckPods } from '../../explain/stuckPods.ts';
import type { EventView, PodState, PodView, ReplicaSetView } from './PageViews.ts';

/** Reasons of a waiting container that are a part of every start. */
const STARTING = ['ContainerCreating', 'PodInitializing'];

/** A pod as a mark of its lane. Pure. */
export function viewPod(pod: Pod, minReadySeconds: number, nowMs: number): PodView {
  const { uid, name } = pod.metadata;
  const state = decidePodState(pod, minReadySeconds, nowMs);
  const [stuck] = state === 'failed' || state === 'ending' ? stuckPods([pod]) : [];
  return {
    id: uid,
    name,
    owner: controllerOf(pod)?.uid ?? '',
    state,
    ...(stuck && { reason: `${stuck.reason}: ${stuck.message}` }),
    ...(pod.spec?.nodeName && { node: pod.spec.nodeName }),
  };
}

/** How far a pod has come. Pure. */
export function decidePodState(pod: Pod, minReadySeconds: number, nowMs: number): PodState {
  const { metadata, spec, status } = pod;
  if (metadata.deletionTimestamp !== undefined) return 'ending';
  if (isPodAvailable(pod, minReadySeconds, nowMs)) return 'available';
  if (isPodReady(pod)) return 'ready';
  if (status?.phase === 'Failed') return 'failed';
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = containers.map(({ state }) => state?.waiting?.reason).filter((reason) => reason !== undefined);
  if (waiting.some((reason) => !STARTING.includes(reason))) return 'failed';
  if (podConditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable') return 'failed';
  if (!spec?.nodeName) return 'created';
  if (waiting.length > 0) return 'pulling';
  return status?.phase === 'Running' ? 'running' : 'scheduled';
}

/** A ReplicaSet as a lane. Pure. */
export function viewReplicaSet(replicaSet: ReplicaSet, isNew: boolean): ReplicaSetView {
  const { metadata, spec } = replicaSet;
  return {
    id: metadata.uid,
    name: metadata.name,
    uid: metadata.uid,
    isNew,
    revision: metadata.annotations?.[REVISION] ?? '',
    desired: spec?.replicas ?? 1,
    images: (spec?.template?.spec?.containers ?? []).map(({ image = '' }) => image),
    createdAtMs: Date.parse(metadata.creationTimestamp ?? ''),
  };
}

/** An event as a line. Pure. */
export function viewEvent(event: Event): EventView {
  const { metadata, type, reason = '', message = '', involvedObject, count = 1 } = event;
  const last = event.lastTimestamp ?? event.eventTime ?? metadata.creationTimestamp ?? '';
  return {
    id: metadata.uid,
    isWarning: type === 'Warning',
    reason,
    message,
    about: `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name ?? ''}`,
    count,
    lastAtMs: Date.parse(last),
  };
}
