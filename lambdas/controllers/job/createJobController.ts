import { controllerOf, type KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isTracked } from '../../objects/pods/jobPods.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { finishedCondition } from './jobState.ts';
import { keysForChange } from './keysForChange.ts';
import { JOBS, syncJob, type SyncJobDeps } from './syncJob.ts';
import { orphanPodKey, orphanPodName, syncOrphanPod } from './syncOrphanPod.ts';

/** Kubernetes' Job controller. `events` is the recorder of `job-controller`. A key that fails is retried for ever. */
export function createJobController(
  deps: SyncJobDeps & { readonly registry: RegistryReader },
): Controller<SyncContext> {
  return {
    name: 'job',
    resources: [JOBS, 'pods'],
    watches: [JOBS, 'pods'],
    keysFor: (change) => keysForChange(deps.registry, change),
    keysToResync,
    sync: (key, context) => {
      const podName = orphanPodName(key);
      return podName === undefined ? syncJob(deps, key, context) : syncOrphanPod(key, podName, context);
    },
  };
}

/** A Job that has ended needs nothing, nor does a pod that its Job counts. */
function keysToResync(object: KubernetesObject, resource: GroupResource): readonly WorkKey[] {
  if (resource === 'pods') return mayBeOrphan(object) ? [orphanPodKey(object)] : [];
  const { namespace = '', name } = object.metadata;
  return finishedCondition(object) ? [] : [{ controller: 'job', namespace, name }];
}

function mayBeOrphan(pod: Pod): boolean {
  return isTracked(pod) && (!controllerOf(pod) || pod.metadata.deletionTimestamp !== undefined);
}
