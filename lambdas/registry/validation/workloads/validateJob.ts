import type { PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { all, type Check, fields, ifPresent, notNegative, oneInOrder, present } from '../checks.ts';
import { invalid, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, numberOf, textOf } from '../fieldsOf.ts';
import { type JobFields, podFailurePolicy, successPolicy } from './validateJobPolicies.ts';
import { domainPrefixedPath } from '../network/networkChecks.ts';
import { validatePodTemplateSpec } from '../pods/validatePodTemplate.ts';

const MAX_INDEXED_PODS = 100_000;
/** The most pods at once, and failed indexes, of a Job with more indexes than that. */
const MAX_OF_LARGE = 10_000;
const MAX_MANAGER_LENGTH = 63;

/** A check of the fields of a Job's spec together. Its errors have paths below the spec's. */
function specRule(errorsOf: (spec: JobFields, path: string) => FieldError[]): Check {
  return (value, path) => errorsOf(fieldsOf(value), path);
}

const completionMode = specRule((spec, path) => {
  const { completionMode: mode } = spec;
  if (!isPresent(mode)) return [];
  if (mode !== 'Indexed') return oneInOrder('NonIndexed', 'Indexed')(mode, `${path}.completionMode`);
  return [...indexedErrors(spec, path), ...(isLarge(spec) ? largeErrors(spec, path) : [])];
});

function indexedErrors({ completions, parallelism, maxFailedIndexes: most }: JobFields, path: string): FieldError[] {
  const at = `${path}.maxFailedIndexes`;
  const limit = `must be less than or equal to ${MAX_INDEXED_PODS}`;
  const isAboveCompletions = isPresent(completions) && isPresent(most) && numberOf(most) > numberOf(completions);
  return [
    ...(isPresent(completions) ? [] : [required(`${path}.completions`, 'when completion mode is Indexed')]),
    ...(numberOf(parallelism) > MAX_INDEXED_PODS
      ? [invalid(`${path}.parallelism`, parallelism, `${limit} when completion mode is Indexed`)]
      : []),
    ...(isAboveCompletions ? [invalid(at, most, 'must be less than or equal to completions')] : []),
    ...(numberOf(most) > MAX_INDEXED_PODS ? [invalid(at, most, limit)] : []),
  ];
}

/** True for a Job with so many indexes, each with a limit of its own, that their failures would not fit in its status. */
function isLarge({ completions, backoffLimitPerIndex }: JobFields): boolean {
  return numberOf(completions) > MAX_INDEXED_PODS && isPresent(backoffLimitPerIndex);
}

function largeErrors({ parallelism, maxFailedIndexes: most }: JobFields, path: string): FieldError[] {
  const when = `when completions are above ${MAX_INDEXED_PODS} and used with backoff limit per index`;
  const tooLarge = (field: string, value: unknown) =>
    numberOf(value) > MAX_OF_LARGE
      ? [invalid(`${path}.${field}`, value, `must be less than or equal to ${MAX_OF_LARGE} ${when}`)]
      : [];
  const missing = `must be specified when completions is above ${MAX_INDEXED_PODS}`;
  return [
    ...(isPresent(most) ? [] : [required(`${path}.maxFailedIndexes`, missing)]),
    ...tooLarge('parallelism', parallelism),
    ...tooLarge('maxFailedIndexes', most),
  ];
}

const failedIndexes = specRule(({ maxFailedIndexes, backoffLimitPerIndex }, path) =>
  isPresent(maxFailedIndexes) && !isPresent(backoffLimitPerIndex)
    ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
    : [],
);

/** What only Jobs with indexes can have. */
const onlyIndexed = specRule((spec, path) =>
  spec.completionMode === undefined || spec.completionMode === null || spec.completionMode === 'NonIndexed'
    ? (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((field) => needsIndexes(spec, field, path))
    : [],
);

function needsIndexes(
  spec: JobFields,
  field: 'backoffLimitPerIndex' | 'maxFailedIndexes' | 'successPolicy',
  path: string,
): FieldError[] {
  return isPresent(spec[field]) ? [invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode')] : [];
}

const managedBy: Check = all(domainPrefixedPath, (value, path) =>
  textOf(value).length > MAX_MANAGER_LENGTH
    ? [{ type: 'FieldValueTooLong', field: path, detail: `may not be more than ${MAX_MANAGER_LENGTH} bytes` }]
    : [],
);

const policies = specRule((spec, path) => [
  ...ifPresent(podFailurePolicy(spec))(spec.podFailurePolicy, `${path}.podFailurePolicy`),
  ...(spec.completionMode === 'Indexed'
    ? ifPresent(successPolicy(spec))(spec.successPolicy, `${path}.successPolicy`)
    : needsIndexes(spec, 'successPolicy', path)),
  ...replacementErrors(spec, `${path}.podReplacementPolicy`),
]);

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: JobFields, path: string): FieldError[] {
  if (!isPresent(policy)) return [];
  const supported = isPresent(podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return supported.includes(textOf(policy)) ? [] : [notSupported(path, textOf(policy), supported)];
}

/** The pods of a Job end. The default of a template, `Always`, means that the client has not chosen. */
const restartPolicy = specRule(({ template, podFailurePolicy }, path) => {
  const policy = textOf(fieldsOf<PodSpec>(fieldsOf<PodTemplateSpec>(template).spec).restartPolicy);
  const at = `${path}.template.spec.restartPolicy`;
  if (policy === 'Always' || policy === '') return [required(at, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(at, policy, ['OnFailure', 'Never'])];
  if (!isPresent(podFailurePolicy) || policy === 'Never') return [];
  return [invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')];
});

/** Checks what the spec of a Job and that of a CronJob's template have in common, as upstream's unexported `validateJobSpec`. */
export const jobSpec: Check = all(
  fields({
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: notNegative,
  }),
  failedIndexes,
  fields({ managedBy: ifPresent(managedBy) }),
  completionMode,
  onlyIndexed,
  policies,
  fields({ template: present('', validatePodTemplateSpec) }),
  restartPolicy,
);
