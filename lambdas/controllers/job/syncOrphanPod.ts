import { controllerOf } from '../../objects/KubernetesObject.ts';
import { isTracked } from '../../objects/pods/jobPods.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { reportDone } from './jobReasons.ts';
import { finishedCondition, managedByOther } from './jobState.ts';
import { releaseCounted } from './releasePods.ts';

/** The keys of orphan pods begin with this. No Job has such a name. */
const PREFIX = 'pods/';

/** Returns the key of a pod that may have no Job to count it. Kubernetes has a queue of its own for them. */
export function orphanPodKey({ metadata }: Pod): WorkKey {
  return { controller: 'job', namespace: metadata.namespace ?? '', name: `${PREFIX}${metadata.name}` };
}

/** Returns the name of the pod that such a key stands for; `undefined` for the key of a Job. */
export function orphanPodName({ name }: WorkKey): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** Removes the tracking finalizer from a pod that no Job will count: it has no controller, or its Job is gone or has ended. Kubernetes' function of this name. */
export async function syncOrphanPod(
  { namespace }: WorkKey,
  podName: string,
  { registry }: SyncContext,
): Promise<SyncReport> {
  const pod = await registry.get<Pod>({ resource: 'pods', namespace, name: podName });
  if (!pod || !isTracked(pod) || !(await isOrphaned(registry, pod))) return reportDone({ reason: 'podIsNoOrphan' });
  const release = await releaseCounted(registry, pod, false);
  if (release.status === 'failed') throw release.error;
  const why = { reason: 'orphanPodReleased', name: podName } as const;
  if (release.status === 'released') return reportDone(why, [`release pods ${namespace}/${podName}`]);
  return { ...reportDone(why), outcome: { status: 'requeueAfter', delayMs: 0 } };
}

async function isOrphaned(registry: RegistryReader, pod: Pod): Promise<boolean> {
  const controller = controllerOf(pod);
  if (!controller) return true;
  if (controller.kind !== 'Job' || controller.apiVersion !== 'batch/v1') return false;
  const { namespace = '' } = pod.metadata;
  const job = await registry.get<Job>({ resource: 'jobs.batch', namespace, name: controller.name });
  if (job?.metadata.uid !== controller.uid) return true;
  return managedByOther(job) === undefined && finishedCondition(job) !== undefined;
}
