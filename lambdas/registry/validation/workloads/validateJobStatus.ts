import type { JobSpec, JobStatus, UncountedTerminatedPods } from 'kubernetes-types/batch/v1.js';
import { type FieldError, OMITTED_VALUE } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { Job } from '../../../objects/kinds.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { fields, notNegative } from '../checks.ts';
import { duplicate, invalid, required } from '../fieldErrors.ts';
import { numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { countIndexes, firstCommonIndex } from './jobIndexes.ts';

/** kubernetes-types does not know all members yet. */
type Spec = Partial<JobSpec> & { readonly successPolicy?: object };
type Status = JobStatus & { readonly terminating?: number };

/** A Job before or after the write of its status, with what the rules ask about it. */
interface JobFacts {
  readonly spec: Spec;
  readonly status: Status;
  readonly completions: number | undefined;
  readonly isIndexed: boolean;
  readonly isFinished: boolean;
  /** True if the Job has a condition of that type that is `True`. */
  readonly is: (type: string) => boolean;
}

function factsOf(object: KubernetesObject): JobFacts {
  const { spec = {}, status = {} } = object as unknown as { readonly spec?: Spec; readonly status?: Status };
  const is = (type: string) => hasCondition(status, type, 'True');
  return {
    spec,
    status,
    completions: spec.completions,
    isIndexed: spec.completionMode === 'Indexed',
    isFinished: is('Complete') || is('Failed'),
    is,
  };
}

function hasCondition({ conditions }: Job['status'] & {}, type: string, value: string): boolean {
  return conditions?.some((one) => one.type === type && one.status === value) === true;
}

/**
 * Returns the errors of a Job's changed status, as `ValidateJobUpdateStatus`. Most rules are asked only if something changed that they are about. So a status that breaks a rule, perhaps since the spec has
 * changed, does not stand in the way of other changes. Pure.
 */
export function validateJobStatusUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [job, before] = [factsOf(object), factsOf(old)];
  return [...counts(job.status, 'status'), ...uncountedErrors(job), ...RULES.flatMap((rule) => rule(job, before))];
}

const counts = fields({
  active: notNegative,
  succeeded: notNegative,
  failed: notNegative,
  ready: notNegative,
  terminating: notNegative,
});

/** A pod is counted once: as succeeded or as failed. */
function uncountedErrors({ status: { uncountedTerminatedPods } }: JobFacts): FieldError[] {
  const seen = new Set<string>();
  const errors = (uid: string, path: string) => {
    if (uid === '') return [invalid(path, uid, 'must not be empty')];
    if (seen.has(uid)) return [duplicate(path, uid)];
    seen.add(uid);
    return [];
  };
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    textsOf(uncountedTerminatedPods?.[list]).flatMap((uid, index) =>
      errors(uid, `status.uncountedTerminatedPods.${list}[${index}]`),
    ),
  );
}

type Rule = (job: JobFacts, before: JobFacts) => FieldError[];

function condition(detail: string): FieldError[] {
  return [invalid('status.conditions', OMITTED_VALUE, detail)];
}

const changes = {
  condition: (type: string) => (job: JobFacts, before: JobFacts) => job.is(type) !== before.is(type),
  end: (job: JobFacts, before: JobFacts) => job.isFinished !== before.isFinished,
  field: (name: keyof Status) => (job: JobFacts, before: JobFacts) => !jsonEqual(job.status[name], before.status[name]),
  count: (name: 'active') => (job: JobFacts, before: JobFacts) =>
    numberOf(job.status[name]) !== numberOf(before.status[name]),
  text: (name: 'completedIndexes') => (job: JobFacts, before: JobFacts) =>
    textOf(job.status[name]) !== textOf(before.status[name]),
};

type Change = (job: JobFacts, before: JobFacts) => boolean;

/** A rule that is asked if one of these things changed. */
function onChange(of: readonly Change[], errors: (job: JobFacts) => FieldError[]): Rule {
  return (job, before) => (of.some((changed) => changed(job, before)) ? errors(job) : []);
}

/** Two conditions of which only one can be true. */
function exclusive(one: string, other: string, of?: readonly Change[]): Rule {
  const errors = (job: JobFacts) =>
    job.is(one) && job.is(other) ? condition(`cannot set ${one}=True and ${other}=true conditions`) : [];
  return of ? onChange(of, errors) : errors;
}

/** A condition that the Job gets only together with another one. */
function needs(one: string, other: string, of: readonly Change[]): Rule {
  return onChange(of, (job) =>
    job.is(one) && !job.is(other)
      ? condition(`cannot set ${one}=True condition without the ${other}=true condition`)
      : [],
  );
}

const complete = changes.condition('Complete');
const failed = changes.condition('Failed');
const startTime = changes.field('startTime');
const completionTime = changes.field('completionTime');
const completedIndexes = changes.text('completedIndexes');
const failedIndexes = changes.field('failedIndexes');

const endRules: readonly Rule[] = [
  exclusive('Complete', 'Failed', [complete, failed]),
  exclusive('Complete', 'FailureTarget', [complete, changes.condition('FailureTarget')]),
  onChange([complete, completionTime], ({ status, is }) =>
    status.completionTime !== undefined && !is('Complete')
      ? [at('completionTime', status, 'cannot set completionTime when there is no Complete=True condition')]
      : [],
  ),
  onChange([complete, completionTime], ({ status, is }) =>
    status.completionTime === undefined && is('Complete')
      ? [required('status.completionTime', 'completionTime is required for Complete jobs')]
      : [],
  ),
  onChange([startTime, completionTime], ({ status }) =>
    status.startTime && status.completionTime && Date.parse(status.completionTime) < Date.parse(status.startTime)
      ? [at('completionTime', status, 'must be equal to or after `startTime`')]
      : [],
  ),
  needs('Failed', 'FailureTarget', [failed, failedIndexes]),
  needs('Complete', 'SuccessCriteriaMet', [complete, changes.condition('SuccessCriteriaMet')]),
];

const finishedRules: readonly Rule[] = [
  onChange([changes.end, changes.count('active')], ({ status, isFinished }) =>
    isFinished && numberOf(status.active) > 0 ? [at('active', status, 'active>0 is invalid for finished job')] : [],
  ),
  onChange([changes.end, startTime], ({ spec, status, isFinished }) =>
    isFinished && status.startTime === undefined && !(spec.suspend === true && spec.completions === 0)
      ? [required('status.startTime', 'startTime is required for finished job')]
      : [],
  ),
  onChange([changes.end, changes.field('uncountedTerminatedPods')], ({ status, isFinished }) =>
    isFinished && sizeOf(status.uncountedTerminatedPods) > 0
      ? [at('uncountedTerminatedPods', status, 'must be empty for finished job')]
      : [],
  ),
];

const indexRules: readonly Rule[] = [
  onChange([completedIndexes], ({ status, completions }) =>
    formatErrors('completedIndexes', status.completedIndexes, completions),
  ),
  onChange([failedIndexes], ({ spec, status, completions }) =>
    spec.backoffLimitPerIndex === undefined ? [] : formatErrors('failedIndexes', status.failedIndexes, completions),
  ),
  onChange([completedIndexes], ({ status, isIndexed }) =>
    !isIndexed && textOf(status.completedIndexes) !== ''
      ? [at('completedIndexes', status, 'cannot set non-empty completedIndexes when non-indexed completion mode')]
      : [],
  ),
  onChange([failedIndexes], ({ spec, status }) =>
    spec.backoffLimitPerIndex === undefined && status.failedIndexes !== undefined
      ? [at('failedIndexes', status, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')]
      : [],
  ),
  onChange([failedIndexes, completedIndexes], ({ status, completions }) => {
    if (completions === undefined || status.failedIndexes === undefined) return [];
    const common = firstCommonIndex(textOf(status.completedIndexes), status.failedIndexes, completions);
    if (common === undefined) return [];
    return [at('failedIndexes', status, `failedIndexes and completedIndexes overlap at index: ${common}`)];
  }),
];

const podRules: readonly Rule[] = [
  onChange([changes.end, changes.field('terminating')], ({ status, isFinished }) =>
    isFinished && numberOf(status.terminating) > 0
      ? [at('terminating', status, 'terminating>0 is invalid for finished job')]
      : [],
  ),
  onChange([changes.field('ready'), changes.count('active')], ({ status }) =>
    status.ready !== undefined && status.ready > numberOf(status.active)
      ? [at('ready', status, 'cannot set more ready pods than active')]
      : [],
  ),
  exclusive('SuccessCriteriaMet', 'Failed'),
  exclusive('SuccessCriteriaMet', 'FailureTarget'),
  ({ spec, is }) =>
    spec.successPolicy !== undefined && !is('SuccessCriteriaMet') && is('Complete')
      ? condition('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
      : [],
];

/** What a Job has reached stays reached. */
const progressRules: readonly Rule[] = [
  ...['Failed', 'Complete', 'FailureTarget'].map(
    (type): Rule =>
      (job, before) =>
        before.is(type) && !job.is(type) ? condition(`cannot disable the terminal ${type}=True condition`) : [],
  ),
  ({ status }, before) =>
    numberOf(status.failed) < numberOf(before.status.failed)
      ? [invalid('status.failed', numberOf(status.failed), 'cannot decrease the failed counter')]
      : [],
  // A Job with indexes whose completions are its parallelism can be scaled down.
  ({ spec, status, isIndexed }, before) =>
    (!isIndexed || spec.completions !== spec.parallelism) &&
    numberOf(status.succeeded) < numberOf(before.status.succeeded)
      ? [invalid('status.succeeded', numberOf(status.succeeded), 'cannot decrease the succeeded counter')]
      : [],
  (job, before) =>
    job.status.completionTime && before.status.completionTime && completionTime(job, before)
      ? [at('completionTime', job.status, 'field is immutable')]
      : [],
  (job, before) =>
    before.status.startTime && startTime(job, before) && job.spec.suspend !== true && !isResuming(job, before)
      ? [required('status.startTime', 'startTime cannot be removed for unsuspended job')]
      : [],
  (job, before) =>
    before.is('SuccessCriteriaMet') && !job.is('SuccessCriteriaMet')
      ? condition('cannot disable the SuccessCriteriaMet=True condition')
      : [],
  (job, before) =>
    before.is('Complete') && !before.is('SuccessCriteriaMet') && job.is('SuccessCriteriaMet')
      ? condition('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions')
      : [],
];

/** In the order of upstream's errors. */
const RULES: readonly Rule[] = [...endRules, ...finishedRules, ...indexRules, ...podRules, ...progressRules];

function at(field: keyof Status, status: Status, detail: string): FieldError {
  return invalid(`status.${field}`, status[field], detail);
}

function sizeOf({ succeeded, failed: failures }: UncountedTerminatedPods = {}): number {
  return (succeeded?.length ?? 0) + (failures?.length ?? 0);
}

function formatErrors(field: keyof Status, indexes: string | undefined, completions: number | undefined): FieldError[] {
  if (indexes === undefined || completions === undefined) return [];
  const error = countIndexes(indexes, completions);
  return typeof error === 'number' ? [] : [invalid(`status.${field}`, indexes, `error parsing ${field}: ${error}`)];
}

function isResuming(job: JobFacts, before: JobFacts): boolean {
  return before.is('Suspended') && hasCondition(job.status, 'Suspended', 'False');
}
