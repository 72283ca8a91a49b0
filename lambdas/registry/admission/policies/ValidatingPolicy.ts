import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  Validation,
} from 'kubernetes-types/admissionregistration/v1.js';
import { typeNameOf } from '../../cel/evaluate/typeNameOf.ts';
import { admissionEnvironment } from './AdmissionEnvironment.ts';
import { type AdmissionInput, bindVariables, type CompiledVariables, compileVariables } from './AdmissionInput.ts';
import { compileCondition, type Condition, CostBudget, OUT_OF_BUDGET } from './Condition.ts';
import { compileMatchConditions, evaluateMatchConditions, type FailurePolicy } from './matchConditions.ts';

/** What one request may cost. */
const BUDGET = 10_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;

/** What a policy says of a request. `failed`: an expression could not be evaluated, and the failure policy decided. */
export type PolicyDecision =
  | { readonly action: 'admit'; readonly failed: boolean; readonly message?: string }
  | { readonly action: 'deny'; readonly failed: boolean; readonly reason: string; readonly message: string };

/** What a policy says for the audit log: a value to publish, nothing, or an error, which refuses the request. */
export type PolicyAnnotation =
  | { readonly action: 'publish'; readonly key: string; readonly value: string }
  | { readonly action: 'exclude'; readonly key: string }
  | { readonly action: 'error'; readonly key: string; readonly error: string };

export interface PolicyResult {
  /** One for each validation, in their order; none if the request does not match; one if the policy as a whole failed. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly PolicyAnnotation[];
}

/** A ValidatingAdmissionPolicy with its expressions compiled, once for a definition. */
export interface ValidatingPolicy {
  /** The names that its expressions refer to: `object`, `namespaceObject`. */
  readonly names: ReadonlySet<string>;
  readonly evaluate: (input: AdmissionInput) => PolicyResult;
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly condition: Condition;
  readonly message: Condition | undefined;
}

interface CompiledAnnotation {
  readonly annotation: AuditAnnotation;
  readonly condition: Condition;
}

interface Compiled {
  readonly failurePolicy: FailurePolicy;
  readonly matchConditions: readonly Condition[];
  readonly variables: CompiledVariables;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
}

/**
 * Compiles a policy's spec. An expression that does not compile fails when it is needed, as upstream's does. Rules, selectors and parameters' lookup belong to
 * the caller. Follows upstream's `validating.validator`. Pure.
 */
export function compileValidatingPolicy(spec: ValidatingAdmissionPolicySpec): ValidatingPolicy {
  const hasParams = spec.paramKind !== undefined;
  const { compiled: variables, types } = compileVariables(spec.variables ?? [], { hasParams });
  const environment = admissionEnvironment({ hasParams, variables: types });
  const messageEnvironment = admissionEnvironment({ hasParams, hasAuthorizer: false, variables: types });
  const compiled: Compiled = {
    failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    matchConditions: compileMatchConditions(spec.matchConditions ?? [], hasParams),
    variables,
    validations: (spec.validations ?? []).map((validation) => ({
      validation,
      condition: compileCondition(validation.expression, environment, ['bool']),
      message: validation.messageExpression
        ? compileCondition(validation.messageExpression, messageEnvironment, ['string'])
        : undefined,
    })),
    annotations: (spec.auditAnnotations ?? []).map((annotation) => ({
      annotation,
      condition: compileCondition(annotation.valueExpression, environment, ['string', 'null']),
    })),
  };
  return { names: namesOf(compiled), evaluate: (input) => evaluatePolicy(compiled, input) };
}

function namesOf({ matchConditions, variables, validations, annotations }: Compiled): ReadonlySet<string> {
  const conditions = [
    ...matchConditions,
    ...variables.values(),
    ...validations.flatMap(({ condition, message }) => (message ? [condition, message] : [condition])),
    ...annotations.map(({ condition }) => condition),
  ];
  return new Set(conditions.flatMap((condition) => ('error' in condition ? [] : [...condition.checked.names])));
}

function evaluatePolicy(policy: Compiled, input: AdmissionInput): PolicyResult {
  const match = evaluateMatchConditions(policy.matchConditions, input, policy.failurePolicy);
  if (match.status === 'failed') return { decisions: [failure(policy, match.message)], annotations: [] };
  if (match.status === 'doesNotMatch') return { decisions: [], annotations: [] };
  const decisions = evaluateValidations(policy, input);
  const annotations = evaluateAnnotations(policy, input);
  return annotations === undefined
    ? { decisions: [failure(policy, OUT_OF_BUDGET)], annotations: [] }
    : { decisions, annotations };
}

function failure({ failurePolicy }: Compiled, message: string): PolicyDecision {
  return failurePolicy === 'Ignore'
    ? { action: 'admit', failed: true, message }
    : { action: 'deny', failed: true, reason: 'Invalid', message };
}

function evaluateValidations(policy: Compiled, input: AdmissionInput): PolicyDecision[] {
  const budget = new CostBudget(BUDGET, input.budget);
  const variables = bindVariables(input, policy.variables, budget);
  const results = policy.validations.map(({ condition }) => budget.run(condition, variables));
  if (results.includes(undefined)) return [failure(policy, OUT_OF_BUDGET)];
  return policy.validations.map(({ validation, message }, index): PolicyDecision => {
    const result = results[index];
    if (result === undefined) return failure(policy, OUT_OF_BUDGET);
    if ('error' in result) return failure(policy, result.error);
    if (result.value === true) return { action: 'admit', failed: false };
    const text = message === undefined ? { value: '' } : budget.run(message, variables);
    if (text === undefined) return failure(policy, `failed messageExpression: ${OUT_OF_BUDGET}`);
    const reason = validation.reason ?? 'Invalid';
    return {
      action: 'deny',
      failed: false,
      reason,
      message: denialMessage(validation, 'value' in text ? text.value : ''),
    };
  });
}

/** The text that the message's expression made, if it can be shown; else the message; else the expression. */
function denialMessage({ message = '', expression }: Validation, made: unknown): string {
  const text = typeof made === 'string' ? made.trim() : '';
  if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  return message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim();
}

/** `undefined` if the expressions cost too much. */
function evaluateAnnotations(policy: Compiled, input: AdmissionInput): PolicyAnnotation[] | undefined {
  const budget = new CostBudget(BUDGET, input.budget);
  const variables = bindVariables(input, policy.variables, budget);
  const annotations: PolicyAnnotation[] = [];
  for (const { annotation, condition } of policy.annotations) {
    const { key, valueExpression } = annotation;
    const result = budget.run(condition, variables);
    if (result === undefined) return undefined;
    if ('error' in result) {
      annotations.push(
        policy.failurePolicy === 'Ignore' ? { action: 'exclude', key } : { action: 'error', key, error: result.error },
      );
    } else if (typeof result.value === 'string' && result.value.trim() !== '')
      annotations.push({ action: 'publish', key, value: result.value.trim() });
    else if (result.value === null || typeof result.value === 'string') annotations.push({ action: 'exclude', key });
    else {
      const error = `valueExpression '${valueExpression}' resulted in unsupported return type: ${typeNameOf(result.value)}. Return type must be either string or null.`;
      annotations.push({ action: 'error', key, error });
    }
  }
  return annotations;
}
