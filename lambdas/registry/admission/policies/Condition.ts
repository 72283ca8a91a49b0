import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { type CelType, formatType } from '../../cel/CelType.ts';
import type { CelEnvironment } from '../../cel/check/CelEnvironment.ts';
import type { CheckedExpr } from '../../cel/check/checkExpression.ts';
import { compileExpression } from '../../cel/compileExpression.ts';
import { composedSizeOf } from '../../cel/evaluate/composedSize.ts';
import { CelError, type CelValue } from '../../cel/evaluate/CelValue.ts';
import { evaluate, type Variables } from '../../cel/evaluate/evaluate.ts';

/** An expression of a policy or a webhook, compiled; or why it does not compile. */
export type Condition =
  | { readonly expression: string; readonly checked: CheckedExpr; readonly type: CelType }
  | { readonly expression: string; readonly error: string };

/** Compiles an expression that must have one of some types; none given: any. Follows upstream's `CompileCELExpression`. Pure. */
export function compileCondition(
  expression: string,
  environment: CelEnvironment,
  kinds: readonly CelType['kind'][] = [],
): Condition {
  const result = compileExpression(expression, environment);
  if ('issues' in result) return { expression, error: `compilation failed: ${result.issues}` };
  if (kinds.length === 0 || kinds.includes(result.type.kind)) return { expression, ...result };
  const names = kinds.map((kind) => (kind === 'null' ? 'null_type' : kind));
  const wanted = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return { expression, error: `must evaluate to ${wanted} but got ${formatType(result.type)}` };
}

export type ConditionResult = { readonly value: CelValue } | { readonly error: string };

/** What upstream says when the expressions of one request have cost more than they may. */
export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

const EXPRESSION_LIMIT = 1_000_000;

/** The cost that some expressions may still have together, in cel-go's units: Kubernetes' limit for them. What they take, the request takes. */
export class CostBudget {
  #left: number;
  readonly #budget: RequestBudget;

  constructor(limit: number, budget: RequestBudget) {
    this.#left = limit;
    this.#budget = budget;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Evaluates an expression, and takes its cost; `undefined` if that does not suffice. Costs of variables that it asks for are taken, too. */
  run(condition: Condition, variables: Variables): ConditionResult | undefined {
    if (this.isSpent) return undefined;
    if ('error' in condition) return { error: `compilation error: ${condition.error}` };
    const { result, cost } = evaluate(condition.checked, variables, Math.min(EXPRESSION_LIMIT, this.#left));
    this.#take(cost);
    if (this.isSpent) return undefined;
    if (result instanceof CelError)
      return { error: `expression '${condition.expression}' resulted in error: ${result.message}` };
    return { value: result };
  }

  /** Evaluates what a variable stands for, which is kept for the expressions that follow. */
  runVariable(name: string, condition: Condition, variables: Variables): CelValue | CelError {
    if ('error' in condition) return new CelError(`composited variable "${name}" fails to compile: ${condition.error}`);
    const { result, cost } = evaluate(
      condition.checked,
      variables,
      Math.min(EXPRESSION_LIMIT, Math.max(0, this.#left)),
    );
    this.#take(cost);
    if (!(result instanceof CelError)) this.#budget.keep(composedSizeOf(result));
    return result instanceof CelError
      ? new CelError(`composited variable "${name}" fails to evaluate: ${result.message}`)
      : result;
  }

  #take(cost: number): void {
    this.#left -= cost;
    this.#budget.spendOnExpressions(cost);
  }
}
