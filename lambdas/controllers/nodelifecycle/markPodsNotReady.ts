import { namespacedName } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import { isPodReady, podConditionOf } from '../../objects/pods/podState.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';

/** What was written, and which events tell of it. */
export interface MarkedPods {
  readonly writes: readonly string[];
  readonly events: readonly EventToRecord[];
}

/** Writes into the pods of a node whose kubelet is silent that they are not ready, as `MarkPodsNotReady`, so that services no longer send to them. A pod that changed meanwhile is left to the next sync. `now` is RFC 3339. */
export async function markPodsNotReady(
  registry: GuardedRegistry,
  pods: readonly Pod[],
  now: string,
): Promise<MarkedPods> {
  const writes: string[] = [];
  const events: EventToRecord[] = [];
  for (const pod of pods.filter(isPodReady)) {
    const outcome = await registry.update<Pod>('pods', withoutReadiness(pod, now), {
      subresource: 'status',
      from: pod,
    });
    if (outcome.status === 'refused') {
      if (outcome.error.reason === 'Conflict' || outcome.error.reason === 'NotFound') continue;
      throw outcome.error;
    }
    writes.push(`status of pods ${namespacedName(pod)}`);
    events.push({ regarding: pod, type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' });
  }
  return { writes, events };
}

/** The pod with a false Ready condition, whose reason and message stay. */
function withoutReadiness(pod: Pod, now: string): Pod {
  const ready = podConditionOf(pod, 'Ready');
  const conditions = (pod.status?.conditions ?? []).map((condition) =>
    condition === ready ? { ...condition, status: 'False', lastTransitionTime: now } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}
