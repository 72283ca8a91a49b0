import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from 'kubernetes-types/batch/v1.js';
import type { PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { isQualifiedName } from '../../objects/nameFormats.ts';
import {
  all,
  atMost,
  type Check,
  enumOf,
  fields,
  format,
  ifPresent,
  items,
  nonEmptyList,
  notNegative,
  present,
} from './checks.ts';
import { invalid, notSupported, required, tooMany } from './fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from './fieldsOf.ts';
import { domainPrefixedPath } from './networkChecks.ts';
import { validatePodTemplateSpec } from './validatePodTemplate.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_INDEXED_PODS = 100_000;
const MAX_MANAGER_LENGTH = 63;

/** A member of kubernetes-types older than the API that is served. */
type Spec = Fields<JobSpec & { managedBy?: string; successPolicy?: object }>;

/** A check of the fields of a Job's spec together. Its errors have paths below the spec's. */
function specRule(errorsOf: (spec: Spec, path: string) => FieldError[]): Check {
  return (value, path) => errorsOf(fieldsOf(value), path);
}

const completionMode = specRule((spec, path) => {
  const { completionMode: mode, completions, parallelism } = spec;
  if (!isPresent(mode)) return [];
  if (mode !== 'Indexed') return enumOf('Indexed', 'NonIndexed')(mode, `${path}.completionMode`);
  const hasTooMany = numberOf(parallelism) > MAX_INDEXED_PODS;
  const limit = `must be less than or equal to ${MAX_INDEXED_PODS} when completion mode is Indexed`;
  return [
    ...(isPresent(completions) ? [] : [required(`${path}.completions`, 'when completion mode is Indexed')]),
    ...(hasTooMany ? [invalid(`${path}.parallelism`, parallelism, limit)] : []),
  ];
});

const failedIndexes = specRule(({ maxFailedIndexes, backoffLimitPerIndex }, path) =>
  isPresent(maxFailedIndexes) && !isPresent(backoffLimitPerIndex)
    ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
    : [],
);

/** What only Jobs with indexes can have. */
const onlyIndexed = specRule((spec, path) =>
  spec.completionMode === 'Indexed'
    ? []
    : (['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'] as const)
        .filter((field) => isPresent(spec[field]))
        .map((field) => invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode')),
);

const managedBy: Check = all(domainPrefixedPath, (value, path) =>
  textOf(value).length > MAX_MANAGER_LENGTH
    ? [{ type: 'FieldValueTooLong', field: path, detail: `may not be more than ${MAX_MANAGER_LENGTH} bytes` }]
    : [],
);

const exitCodes: Check = (value, path) => {
  const { operator, values } = fieldsOf<PodFailurePolicyOnExitCodesRequirement>(value);
  const codes: unknown[] = Array.isArray(values) ? values : [];
  const seen = new Set<unknown>();
  return [
    ...enumOf('In', 'NotIn')(operator, `${path}.operator`),
    ...codes.flatMap((code, index): FieldError[] => {
      const at = `${path}.values[${index}]`;
      const repeated = seen.has(code);
      seen.add(code);
      if (repeated) return [{ type: 'FieldValueDuplicate', field: at, badValue: code, detail: '' }];
      return operator === 'In' && code === 0 ? [invalid(at, code, 'must not be 0 for the In operator')] : [];
    }),
    ...(codes.length === 0 ? [invalid(`${path}.values`, values ?? [], 'at least one value is required')] : []),
    ...(codes.length > MAX_EXIT_CODES ? [tooMany(`${path}.values`, codes.length, MAX_EXIT_CODES)] : []),
  ];
};

const podCondition: Check = fields({
  type: format(isQualifiedName),
  status: enumOf('False', 'True', 'Unknown'),
});

/** A rule matches either by exit codes or by conditions. */
const oneMatcher: Check = (value, path) => {
  const { onExitCodes, onPodConditions } = fieldsOf<PodFailurePolicyRule>(value);
  const hasConditions = itemsOf(onPodConditions).length > 0;
  if (isPresent(onExitCodes) && hasConditions)
    return [invalid(path, value, 'specifying both OnExitCodes and OnPodConditions is not supported')];
  if (isPresent(onExitCodes) || hasConditions) return [];
  return [invalid(path, value, 'specifying one of OnExitCodes and OnPodConditions is required')];
};

const failureRule: Check = all(
  fields({
    action: all((value, path) =>
      textOf(value) === '' ? [required(path)] : enumOf('Count', 'FailIndex', 'FailJob', 'Ignore')(value, path),
    ),
    onExitCodes: ifPresent(exitCodes),
    onPodConditions: items(podCondition),
  }),
  oneMatcher,
);

const atMostRules: Check = (value, path) =>
  itemsOf(value).length > MAX_RULES ? [tooMany(path, itemsOf(value).length, MAX_RULES)] : [];

const successRule: Check = (value, path) => {
  const { succeededCount, succeededIndexes } = fieldsOf<SuccessPolicyRule>(value);
  if (isPresent(succeededCount) || isPresent(succeededIndexes))
    return ifPresent(notNegative)(succeededCount, `${path}.succeededCount`);
  return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
};

const policies = specRule((spec, path) => [
  ...ifPresent(fields({ rules: all(atMostRules, items(failureRule)) }))(
    spec.podFailurePolicy,
    `${path}.podFailurePolicy`,
  ),
  ...(spec.completionMode === 'Indexed'
    ? ifPresent(fields({ rules: nonEmptyList('', all(atMostRules, items(successRule))) }))(
        spec.successPolicy,
        `${path}.successPolicy`,
      )
    : []),
  ...replacementErrors(spec, `${path}.podReplacementPolicy`),
]);

function replacementErrors({ podReplacementPolicy: policy, podFailurePolicy }: Spec, path: string): FieldError[] {
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

/** Checks what the spec of a Job and that of a CronJob's template have in common, as `validateJobSpec`. */
export const jobSpec: Check = all(
  fields({
    parallelism: notNegative,
    completions: notNegative,
    activeDeadlineSeconds: notNegative,
    backoffLimit: notNegative,
    ttlSecondsAfterFinished: notNegative,
    backoffLimitPerIndex: notNegative,
    maxFailedIndexes: all(notNegative, atMost(MAX_INDEXED_PODS, `must be less than or equal to ${MAX_INDEXED_PODS}`)),
  }),
  failedIndexes,
  fields({ managedBy: ifPresent(managedBy) }),
  completionMode,
  onlyIndexed,
  policies,
  fields({ template: present('', validatePodTemplateSpec) }),
  restartPolicy,
);
