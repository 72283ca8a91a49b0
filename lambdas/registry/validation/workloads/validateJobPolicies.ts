import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from 'kubernetes-types/batch/v1.js';
import type { Container, PodSpec, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { type FieldError, OMITTED_VALUE } from '../../../objects/FieldError.ts';
import { isQualifiedName } from '../../../objects/nameFormats.ts';
import { all, type Check, enumOf, fields, format, ifPresent, items, nonEmptyText, notNegative } from '../checks.ts';
import { duplicate, invalid, required, tooLong, tooMany } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf } from '../fieldsOf.ts';
import { countIndexes } from './jobIndexes.ts';

/** A member of kubernetes-types older than the API that is served. */
export type JobFields = Fields<JobSpec & { managedBy?: string; successPolicy?: object }>;

const MAX_RULES = 20;
const MAX_PATTERNS = 20;
const MAX_EXIT_CODES = 255;
const MAX_INDEXES_BYTES = 64 * 1024;

/** One of these texts. The error of an absent one lists them, too. */
function chosen(...supported: readonly string[]): Check {
  const listed = supported.map((value) => JSON.stringify(value)).join(' ');
  return nonEmptyText(`valid values: [${listed}]`, enumOf(...supported));
}

function atMostItems(most: number): Check {
  return (value, path) => (itemsOf(value).length > most ? [tooMany(path, itemsOf(value).length, most)] : []);
}

/** The exit codes of a rule, in their order. `In` cannot name 0, which means success. */
function exitCodeValues(operator: unknown): Check {
  const code = (codes: readonly unknown[], index: number, path: string) => [
    ...(operator === 'In' && codes[index] === 0
      ? [invalid(path, codes[index], 'must not be 0 for the In operator')]
      : []),
    ...(codes.indexOf(codes[index]) < index ? [duplicate(path, codes[index])] : []),
  ];
  return (value, path) => {
    const codes: readonly unknown[] = Array.isArray(value) ? value : [];
    const isOrdered = codes.every((one, index) => index === 0 || numberOf(codes[index - 1]) <= numberOf(one));
    return [
      ...(codes.length === 0 ? [invalid(path, value ?? null, 'at least one value is required')] : []),
      ...(codes.length > MAX_EXIT_CODES ? [tooMany(path, codes.length, MAX_EXIT_CODES)] : []),
      ...codes.flatMap((_, index) => code(codes, index, `${path}[${index}]`)),
      ...(isOrdered ? [] : [invalid(path, value, 'must be ordered')]),
    ];
  };
}

function exitCodes(containerNames: ReadonlySet<string>): Check {
  const containerName: Check = (value, path) =>
    containerNames.has(textOf(value))
      ? []
      : [invalid(path, value, 'must be one of the container or initContainer names in the pod template')];
  return (value, path) => {
    const { operator } = fieldsOf<PodFailurePolicyOnExitCodesRequirement>(value);
    return fields({
      operator: chosen('In', 'NotIn'),
      containerName: ifPresent(containerName),
      values: exitCodeValues(operator),
    } satisfies Record<keyof PodFailurePolicyOnExitCodesRequirement, Check>)(value, path);
  };
}

const podCondition = fields({
  type: format(isQualifiedName),
  status: chosen('False', 'True', 'Unknown'),
} satisfies Record<keyof PodFailurePolicyOnPodConditionsPattern, Check>);

/** A rule matches either by exit codes or by conditions. */
const oneMatcher: Check = (value, path) => {
  const { onExitCodes, onPodConditions } = fieldsOf<PodFailurePolicyRule>(value);
  const hasConditions = itemsOf(onPodConditions).length > 0;
  if (isPresent(onExitCodes) && hasConditions)
    return [invalid(path, OMITTED_VALUE, 'specifying both OnExitCodes and OnPodConditions is not supported')];
  if (isPresent(onExitCodes) || hasConditions) return [];
  return [invalid(path, OMITTED_VALUE, 'specifying one of OnExitCodes and OnPodConditions is required')];
};

function action({ backoffLimitPerIndex }: JobFields): Check {
  const known = chosen('Count', 'FailIndex', 'FailJob', 'Ignore');
  return (value, path) =>
    value === 'FailIndex' && !isPresent(backoffLimitPerIndex)
      ? [invalid(path, value, 'requires the backoffLimitPerIndex to be set')]
      : known(value, path);
}

function containerNamesOf({ template }: JobFields): ReadonlySet<string> {
  const { containers, initContainers } = fieldsOf<PodSpec>(fieldsOf<PodTemplateSpec>(template).spec);
  return new Set(
    [containers, initContainers].flatMap((list) => itemsOf<Container>(list).map(({ name }) => textOf(name))),
  );
}

/** Checks what a Job does about pods that fail, as `validatePodFailurePolicy`. */
export function podFailurePolicy(spec: JobFields): Check {
  const rule = all(
    fields({
      action: action(spec),
      onExitCodes: ifPresent(exitCodes(containerNamesOf(spec))),
      onPodConditions: all(atMostItems(MAX_PATTERNS), items(podCondition)),
    } satisfies Record<keyof PodFailurePolicyRule, Check>),
    oneMatcher,
  );
  return fields({ rules: all(atMostItems(MAX_RULES), items(rule)) });
}

function successRule(completions: number): Check {
  return (value, path) => {
    const { succeededCount: count, succeededIndexes } = fieldsOf<SuccessPolicyRule>(value);
    if (!isPresent(count) && !isPresent(succeededIndexes))
      return [required(path, 'at least one of succeededCount or succeededIndexes must be specified')];
    const indexes = isPresent(succeededIndexes) ? countIndexes(textOf(succeededIndexes), completions) : undefined;
    const at = `${path}.succeededIndexes`;
    const isTooLong = textOf(succeededIndexes).length > MAX_INDEXES_BYTES;
    return [
      ...(isTooLong ? [tooLong(at, MAX_INDEXES_BYTES)] : []),
      ...(typeof indexes === 'string'
        ? [invalid(at, succeededIndexes, `error parsing succeededIndexes: ${indexes}`)]
        : []),
      ...(isPresent(count) ? countErrors(count, `${path}.succeededCount`, completions, indexes) : []),
    ];
  };
}

function countErrors(count: unknown, path: string, completions: number, indexes?: number | string): FieldError[] {
  const total = typeof indexes === 'number' ? indexes : 0;
  const named = 'the number of indexes in the specified succeededIndexes field';
  return [
    ...notNegative(count, path),
    ...(numberOf(count) > completions
      ? [invalid(path, count, `must be less than or equal to ${completions} (the number of specified completions)`)]
      : []),
    ...(indexes !== undefined && numberOf(count) > total
      ? [invalid(path, count, `must be less than or equal to ${total} (${named})`)]
      : []),
  ];
}

/** Checks when a Job with indexes has succeeded before all its pods have, as `validateSuccessPolicy`. */
export function successPolicy({ completions }: JobFields): Check {
  const rules: Check = (value, path) =>
    itemsOf(value).length === 0
      ? [required(path, 'at least one rules must be specified when the successPolicy is specified')]
      : all(atMostItems(MAX_RULES), items(successRule(numberOf(completions))))(value, path);
  return fields({ rules });
}
