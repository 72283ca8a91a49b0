import { controllerOf } from '../objects/KubernetesObject.ts';
import type { Pod } from '../objects/kinds.ts';
import { isPodReady, podConditionOf } from '../objects/pods/podState.ts';
import type { StuckPods } from './Explanation.ts';

/** The pods that are not ready, grouped by owner and reason, the largest group first. Pure. */
export function stuckPods(pods: readonly Pod[]): readonly StuckPods[] {
  const groups = new Map<string, StuckPods>();
  for (const pod of pods) {
    const why = reasonNotReady(pod);
    if (!why) continue;
    const owner = controllerOf(pod)?.name ?? '';
    const place = `${owner}/${why.reason}`;
    const known = groups.get(place) ?? { ...why, owner, example: pod.metadata.name, count: 0 };
    groups.set(place, { ...known, count: known.count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** The reason that a user would find with `kubectl describe pod`: the container's problem, not the condition that follows from it. */
function reasonNotReady(pod: Pod): { readonly reason: string; readonly message: string } | undefined {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp !== undefined) {
    const finalizers = metadata.finalizers?.join(', ');
    return {
      reason: 'Terminating',
      message: finalizers ? `held by finalizers ${finalizers}` : 'until its containers end',
    };
  }
  if (isPodReady(pod) || status?.phase === 'Succeeded') return undefined;
  if (status?.phase === 'Failed')
    return { reason: status.reason ?? 'Failed', message: status.message ?? failedContainer(pod) ?? 'it has failed' };
  return unscheduled(pod) ?? containerProblem(pod) ?? notReady(pod);
}

function failedContainer({ status }: Pod): string | undefined {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const failed = statuses.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  return failed && `container ${failed.name} ended with exit code ${failed.state?.terminated?.exitCode}`;
}

function unscheduled(pod: Pod) {
  const condition = podConditionOf(pod, 'PodScheduled');
  if (pod.spec?.nodeName) return undefined;
  return { reason: condition?.reason ?? 'Pending', message: condition?.message ?? 'it has no node yet' };
}

function containerProblem({ status }: Pod) {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name, state, lastState, restartCount } of statuses) {
    const { waiting } = state ?? {};
    if (!waiting?.reason || waiting.reason === 'PodInitializing') continue;
    const ended = lastState?.terminated && ` (exit code ${lastState.terminated.exitCode}, ${restartCount} restarts)`;
    return { reason: waiting.reason, message: `${waiting.message ?? `container ${name}`}${ended ?? ''}` };
  }
  return undefined;
}

function notReady(pod: Pod) {
  const condition = podConditionOf(pod, 'Ready');
  return { reason: condition?.reason ?? 'NotReady', message: condition?.message ?? 'it is not ready' };
}
