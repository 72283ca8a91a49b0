import { isTracked, JOB_TRACKING_FINALIZER } from '../../objects/pods/jobPods.ts';
import type { Pod } from '../../objects/kinds.ts';
import { withoutFinalizer } from '../claim/finalizers.ts';
import { type GuardedRegistry, WriteRefusedError } from '../GuardedWriters.ts';

/** How often a release is tried again because its pod changed in between. A pod that stops changes several times. */
const ATTEMPTS = 4;

/** What became of a pod's tracking finalizer. `changed`: the pod is no longer as it was judged. */
export type Release =
  | { readonly status: 'released'; readonly pod: Pod | undefined }
  | { readonly status: 'changed' | 'notTried' }
  | { readonly status: 'failed'; readonly error: Error };

/**
 * Removes the tracking finalizer of a pod, whatever the pod has become since. A pod that is gone, or has no such finalizer any more, is released. `isStale`: the pod has been written since it was read.
 */
export async function releaseCounted(registry: GuardedRegistry, pod: Pod, isStale: boolean): Promise<Release> {
  let current: Pod | undefined = isStale ? await reread(registry, pod) : pod;
  for (let attempt = 1; current && isTracked(current); attempt++) {
    const release = await releaseUnchanged(registry, current);
    if (release.status !== 'changed' || attempt === ATTEMPTS) return release;
    current = await reread(registry, pod);
  }
  return { status: 'released', pod: current };
}

/** Removes the tracking finalizer on the condition that the pod is as it was judged: if it has finished since, it must be counted. */
export async function releaseUnchanged(registry: GuardedRegistry, pod: Pod): Promise<Release> {
  if (!isTracked(pod)) return { status: 'released', pod };
  try {
    const outcome = await registry.update<Pod>('pods', withoutFinalizer(pod, JOB_TRACKING_FINALIZER), { from: pod });
    if (outcome.status === 'stored') return { status: 'released', pod: outcome.object };
    if (outcome.error.reason === 'NotFound') return { status: 'released', pod: undefined };
    return outcome.error.reason === 'Conflict' ? { status: 'changed' } : { status: 'failed', error: outcome.error };
  } catch (thrown) {
    if (thrown instanceof WriteRefusedError) return { status: 'notTried' };
    return { status: 'failed', error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }
}

async function reread(registry: GuardedRegistry, { metadata }: Pod): Promise<Pod | undefined> {
  const { namespace = '', name, uid } = metadata;
  const fresh = await registry.get<Pod>({ resource: 'pods', namespace, name });
  return fresh?.metadata.uid === uid ? fresh : undefined;
}
