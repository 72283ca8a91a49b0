import type { Container, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import {
  COMPLETION_INDEX,
  completionIndexOf,
  FAIL_ATTEMPTS,
  INDEX_FAILURE_COUNT,
  INDEX_IGNORED_FAILURE_COUNT,
  indexFailuresOf,
  JOB_TRACKING_FINALIZER,
  SIMULATED_ATTEMPT,
} from '../../objects/pods/jobPods.ts';
import type { Pod } from '../../objects/kinds.ts';
import { countsAsFailed } from './assessJob.ts';
import type { JobAssessment } from './JobAssessment.ts';
import { hasBackoffLimitPerIndex } from './jobState.ts';
import { isPodFailed } from './podFailures.ts';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** Returns the template of a new pod: the Job's, with the tracking finalizer and, for a pod with an index, its label, annotations, host name and environment variable. Pure. */
export function jobPodTemplate(assessment: JobAssessment, completionIndex: number | undefined): PodTemplateSpec {
  const { metadata = {}, spec } = assessment.job.spec?.template ?? {};
  const finalizers = [...new Set([...(metadata.finalizers ?? []), JOB_TRACKING_FINALIZER])];
  const annotations = {
    ...metadata.annotations,
    ...(completionIndex !== undefined && indexAnnotations(assessment, completionIndex)),
    ...(metadata.annotations?.[FAIL_ATTEMPTS] !== undefined && {
      [SIMULATED_ATTEMPT]: String(failedAttempts(assessment, completionIndex)),
    }),
  };
  const template = { metadata: { ...metadata, finalizers, annotations }, ...(spec && { spec }) };
  return completionIndex === undefined ? template : withIndex(template, assessment.job.metadata.name, completionIndex);
}

function withIndex({ metadata, spec }: PodTemplateSpec, jobName: string, index: number): PodTemplateSpec {
  const labels = { ...metadata?.labels, [COMPLETION_INDEX]: String(index) };
  if (!spec) return { metadata: { ...metadata, labels } };
  const containers = spec.containers.map(withIndexVariable);
  const init = spec.initContainers && { initContainers: spec.initContainers.map(withIndexVariable) };
  return { metadata: { ...metadata, labels }, spec: { ...spec, containers, ...init, hostname: `${jobName}-${index}` } };
}

/** A container that sets the variable itself keeps its own: `addCompletionIndexEnvVariable`. */
function withIndexVariable(container: Container): Container {
  if (container.env?.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const fieldRef = { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` };
  return { ...container, env: [...(container.env ?? []), { name: INDEX_VARIABLE, valueFrom: { fieldRef } }] };
}

/** With a limit for each index, a pod takes over the failures of the pod that it replaces, and that one too: `addIndexFailureCountAnnotation`. */
function indexAnnotations({ job, heldPods }: JobAssessment, index: number): Record<string, string> {
  const own = { [COMPLETION_INDEX]: String(index) };
  if (!hasBackoffLimitPerIndex(job)) return own;
  const replaced = heldPods.get(index);
  const before = replaced ? indexFailuresOf(replaced) : { counted: 0, ignored: 0 };
  const counts = replaced !== undefined && countsAsFailed(job, replaced);
  const counted = before.counted + Number(counts);
  const ignored = before.ignored + Number(replaced !== undefined && !counts);
  return {
    ...own,
    [INDEX_FAILURE_COUNT]: String(counted),
    ...(ignored > 0 && { [INDEX_IGNORED_FAILURE_COUNT]: String(ignored) }),
  };
}

/** How many pods of the Job, or of this index of it, have failed so far. */
function failedAttempts({ job, pods, failed, heldPods }: JobAssessment, index: number | undefined): number {
  const failedPods = pods.filter((pod) => isPodFailed(job, pod) && completionIndexOf(pod) === index).length;
  if (index === undefined) return Math.max(failedPods, failed);
  const held = heldPods.get(index);
  return Math.max(failedPods, held ? sumOf(held) + 1 : 0);
}

function sumOf(pod: Pod): number {
  const { counted, ignored } = indexFailuresOf(pod);
  return counted + ignored;
}
