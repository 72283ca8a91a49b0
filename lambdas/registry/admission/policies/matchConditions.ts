import type { MatchCondition } from 'kubernetes-types/admissionregistration/v1.js';
import { admissionEnvironment } from './AdmissionEnvironment.ts';
import { type AdmissionInput, bindVariables } from './AdmissionInput.ts';
import { compileCondition, type Condition, CostBudget, OUT_OF_BUDGET } from './Condition.ts';

const BUDGET = 2_500_000;

export type FailurePolicy = 'Fail' | 'Ignore';

export type MatchResult =
  | { readonly status: 'matches' }
  | { readonly status: 'doesNotMatch' }
  /** A condition failed, and the failure policy is Fail: the request is refused with this message. */
  | { readonly status: 'failed'; readonly message: string };

/** Compiles the match conditions of a webhook or a policy, once for a definition. Pure. */
export function compileMatchConditions(conditions: readonly MatchCondition[], hasParams = false): readonly Condition[] {
  const environment = admissionEnvironment({ hasParams });
  return conditions.map(({ expression }) => compileCondition(expression, environment, ['bool']));
}

/**
 * Says whether a request matches all conditions. One that is false decides, whatever others say; an error counts by the failure policy: Fail fails the request,
 * Ignore passes over the webhook or policy. Follows upstream's `matchconditions.Matcher`.
 */
export function evaluateMatchConditions(
  conditions: readonly Condition[],
  input: AdmissionInput,
  failurePolicy: FailurePolicy,
): MatchResult {
  const budget = new CostBudget(BUDGET, input.budget);
  const variables = bindVariables(input, new Map(), budget);
  const errors: string[] = [];
  for (const condition of conditions) {
    const result = budget.run(condition, variables);
    if (result === undefined) return failure([OUT_OF_BUDGET], failurePolicy);
    if ('error' in result) errors.push(result.error);
    else if (result.value === false) return { status: 'doesNotMatch' };
  }
  return errors.length === 0 ? { status: 'matches' } : failure(errors, failurePolicy);
}

function failure(errors: readonly string[], failurePolicy: FailurePolicy): MatchResult {
  if (failurePolicy === 'Ignore') return { status: 'doesNotMatch' };
  const messages = [...new Set(errors)];
  return { status: 'failed', message: messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]` };
}
