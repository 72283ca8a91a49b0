import { controllerOf } from '../KubernetesObject.ts';
import type { Pod } from '../kinds.ts';

/** The finalizer that keeps a Job's pod until the Job has counted it. */
export const JOB_TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** The annotation, and the label, with the completion index of a pod of a Job with indexes. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

/** The annotation that counts how often the pods of an index failed before this one, without those that the failure policy ignores. */
export const INDEX_FAILURE_COUNT = 'batch.kubernetes.io/job-index-failure-count';

/** The annotation that counts the failures of the index that the failure policy ignores. */
export const INDEX_IGNORED_FAILURE_COUNT = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** The label with the UID of the Job that made a pod. */
export const JOB_UID_LABEL = 'batch.kubernetes.io/controller-uid';

/** The annotation with the number of attempts that failed before this pod. Only pods that simulate failures by attempt have it. */
export const SIMULATED_ATTEMPT = 'simulate.driftless.dev/attempt';

/** The annotation of a template that asks the simulation for so many failing attempts. */
export const FAIL_ATTEMPTS = 'simulate.driftless.dev/fail-attempts';

const MAX_INT32 = 2_147_483_647;

/** True if a Job controls the pod. */
export function isOfJob(pod: Pod): boolean {
  return controllerOf(pod)?.kind === 'Job';
}

/** True if the pod has the tracking finalizer, so that its Job has not counted it yet. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(JOB_TRACKING_FINALIZER) === true;
}

/** Returns the pod's completion index; `undefined` if it has none, or one that is not a number. Kubernetes' `getCompletionIndex`. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  return parseCount(metadata.annotations?.[COMPLETION_INDEX]);
}

/** Returns how often the pods of this pod's index failed before it: those that count, and those that are ignored. An annotation that cannot be read is 0. */
export function indexFailuresOf({ metadata }: Pod): { readonly counted: number; readonly ignored: number } {
  const read = (name: string) => parseCount(metadata.annotations?.[name]) ?? 0;
  return { counted: read(INDEX_FAILURE_COUNT), ignored: read(INDEX_IGNORED_FAILURE_COUNT) };
}

function parseCount(text: string | undefined): number | undefined {
  const count = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  return count !== undefined && count <= MAX_INT32 ? count : undefined;
}
