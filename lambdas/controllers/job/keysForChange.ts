import { selectsCandidates } from '../../objects/indexes.ts';
import { isTracked } from '../../objects/pods/jobPods.ts';
import { jsonEqual } from '../../objects/json.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { matchesLabelSelector } from '../../objects/selectors/labelSelector.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { orphanPodKey } from './syncOrphanPod.ts';

/** Kubernetes' syncJobBatchPeriod: how long a Job waits after a change of a pod or of its status, because more such changes usually follow. */
const BATCH_PERIOD_MS = 1_000;

type Keys = readonly KeyToSend[] | Promise<readonly KeyToSend[]>;

/** Returns the keys that a change of a Job or of a pod concerns: Kubernetes' event handlers `addJob`, `updateJob`, `deleteJob`, `addPod`, `updatePod` and `deletePod`. A pod that has a controller needs no read. */
export function keysForChange(registry: RegistryReader, change: Change): Keys {
  if (change.resource === 'jobs.batch') return keysOfJob(registry, change);
  if (change.resource !== 'pods') return [];
  const { before, after } = change as { readonly before?: Pod; readonly after?: Pod };
  if (before?.metadata.resourceVersion === after?.metadata.resourceVersion) return [];
  const known = [...(before ? keysOfController(before) : []), ...(after ? keysOfPod(after) : [])];
  if (!after || !mayBeAdopted(before, after)) return dedupe(known);
  return keysOfSelectingJobs(registry, after).then((selecting) => dedupe([...known, ...selecting]));
}

function keysOfPod(pod: Pod): readonly KeyToSend[] {
  return [...keysOfController(pod), ...orphanKeys(pod)];
}

/** A Job whose generation has changed is looked at once. When it is deleted, its pods that it has not counted lose their finalizer. */
function keysOfJob(registry: RegistryReader, { before, after }: Change): Keys {
  const job = (after ?? before) as Job;
  const isStatusOnly =
    before !== undefined && after !== undefined && before.metadata.generation === after.metadata.generation;
  const isDeleted = isStatusOnly && before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
  const key = keyTo(job.metadata, isStatusOnly && !isDeleted ? BATCH_PERIOD_MS : 0);
  if (after) return [key];
  return podsOf(registry, job).then((pods) => [
    key,
    ...pods.filter(isTracked).map((pod) => ({ key: orphanPodKey(pod) })),
  ]);
}

/** A pod leads to its Job by name, without a read. If another Job has that name by now, its sync finds nothing to do. */
function keysOfController(pod: Pod): readonly KeyToSend[] {
  const controller = controllerOf(pod);
  return controller?.kind === 'Job' ? [keyTo({ ...pod.metadata, name: controller.name }, BATCH_PERIOD_MS)] : [];
}

/** A pod with the finalizer that has no controller, or is being deleted, may have no Job any more. */
function orphanKeys(pod: Pod): readonly KeyToSend[] {
  if (!isTracked(pod)) return [];
  return !controllerOf(pod) || pod.metadata.deletionTimestamp !== undefined ? [{ key: orphanPodKey(pod) }] : [];
}

/** True for an orphan that is new, or has changed its labels or lost its controller. */
function mayBeAdopted(before: Pod | undefined, after: Pod): boolean {
  if (controllerOf(after) || after.metadata.deletionTimestamp !== undefined) return false;
  return !before || controllerOf(before) !== undefined || !jsonEqual(before.metadata.labels, after.metadata.labels);
}

/** Returns the keys of all Jobs that might adopt the orphan: `getPodJobs`. */
async function keysOfSelectingJobs(registry: RegistryReader, { metadata }: Pod): Promise<readonly KeyToSend[]> {
  const { namespace = '', labels } = metadata;
  const lists = await Promise.all(
    selectsCandidates(labels).map((value) =>
      registry.list<Job>('jobs.batch', { namespace, index: { name: 'selects', value } }),
    ),
  );
  const jobs = lists.flatMap(({ items }) => items).filter(({ spec }) => matchesLabelSelector(spec?.selector, labels));
  return jobs.map((job) => keyTo(job.metadata, BATCH_PERIOD_MS));
}

function keyTo({ namespace = '', name }: { namespace?: string; name: string }, delayMs: number): KeyToSend {
  return { key: { controller: 'job', namespace, name }, ...(delayMs > 0 && { delayMs }) };
}

function dedupe(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return [...new Map(keys.map((key) => [key.key.name, key])).values()];
}
