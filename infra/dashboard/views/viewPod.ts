import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodAvailable, isPodReady, podConditionOf } from '../../../lambdas/objects/pods/podState.ts';
import { stuckPods } from '../../../lambdas/explain/stuckPods.ts';
import type { PodState, PodView } from './PageViews.ts';

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
