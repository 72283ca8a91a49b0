import type { RequestBudget } from '../../../objects/RequestBudget.ts';
import { STEPS_PER_EXPRESSION_CHARACTER } from '../../cel/compileExpression.ts';

/** Takes from the budget what it costs to compile the expressions that some values hold, whatever their members are called. Throws BudgetExhaustedError. */
export function spendOnCompiling(budget: RequestBudget, values: readonly unknown[]): void {
  budget.spend(charactersOf(values) * STEPS_PER_EXPRESSION_CHARACTER);
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + charactersOf(member), 0);
}
