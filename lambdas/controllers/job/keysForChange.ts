import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import { selectsCandidates } from '../../objects/indexes.ts';
import { isTracked } from '../../objects/jobPods.ts';
import { jsonEqual } from '../../objects/json.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Job, Pod } from '../../objects/kinds.ts';
import { matchesLabelSelector } from '../../objects/labelSelector.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';
import { podsOf } from '../claim/candidatePods.ts';
import type { RegistryReader } from '../guardWrites.ts';
import { orphanPodKey } from './syncOrphanPod.ts';

/** Kubernetes' syncJobBatchPeriod: so long a Job waits after a change of a pod or of its status, because more of them come. */
const BATCH_PERIOD_MS = 1_000;

/** Returns the keys that a change of a Job or of a pod concerns: Kubernetes' event handlers `addJob`, `updateJob`, `deleteJob`, `addPod`, `updatePod` and `deletePod`. */
export async function keysForChange(registry: RegistryReader, change: Change): Promise<readonly KeyToSend[]> {
  if (change.resource === 'jobs.batch') return await keysOfJob(registry, change);
  if (change.resource !== 'pods') return [];
  const { before, after } = change as { readonly before?: Pod; readonly after?: Pod };
  if (before?.metadata.resourceVersion === after?.metadata.resourceVersion) return [];
  return dedupe([
    ...(before ? keysOfController(before) : []),
    ...(after
      ? [...keysOfController(after), ...orphanKeys(after), ...(await keysOfSelectingJobs(registry, before, after))]
      : []),
  ]);
}

/** A Job whose generation has changed is looked at once. When it is deleted, its pods that it has not counted lose their finalizer. */
async function keysOfJob(registry: RegistryReader, { before, after }: Change): Promise<readonly KeyToSend[]> {
  const job = (after ?? before) as Job;
  const isStatusOnly =
    before !== undefined && after !== undefined && before.metadata.generation === after.metadata.generation;
  const isDeleted = isStatusOnly && before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp;
  const key = keyTo(job.metadata, isStatusOnly && !isDeleted ? BATCH_PERIOD_MS : 0);
  if (after) return [key];
  const pods = await podsOf(registry, job);
  return [key, ...pods.filter(isTracked).map((pod) => ({ key: orphanPodKey(pod) }))];
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

/** Returns the keys of all Jobs that might adopt an orphan which is new, or has changed its labels or its controller: `getPodJobs`. */
async function keysOfSelectingJobs(
  registry: RegistryReader,
  before: Pod | undefined,
  after: Pod,
): Promise<readonly KeyToSend[]> {
  const { namespace = '', labels, deletionTimestamp } = after.metadata;
  if (controllerOf(after) || deletionTimestamp !== undefined) return [];
  if (before && jsonEqual(before.metadata.labels ?? {}, labels ?? {}) && isSame(controllerOf(before), undefined))
    return [];
  const lists = await Promise.all(
    selectsCandidates(labels).map((value) =>
      registry.list<Job>('jobs.batch', { namespace, index: { name: 'selects', value } }),
    ),
  );
  const jobs = lists.flatMap(({ items }) => items).filter(({ spec }) => matchesLabelSelector(spec?.selector, labels));
  return jobs.map(({ metadata }) => keyTo(metadata, BATCH_PERIOD_MS));
}

function isSame(one: OwnerReference | undefined, other: OwnerReference | undefined): boolean {
  return one?.uid === other?.uid;
}

function keyTo({ namespace = '', name }: { namespace?: string; name: string }, delayMs: number): KeyToSend {
  return { key: { controller: 'job', namespace, name }, ...(delayMs > 0 && { delayMs }) };
}

function dedupe(keys: readonly KeyToSend[]): readonly KeyToSend[] {
  return [...new Map(keys.map((key) => [key.key.name, key])).values()];
}
