import { describe, expect, test } from 'vitest';
import { BudgetExhaustedError, RequestBudget } from '../../lambdas/objects/RequestBudget.ts';

const small = () => new RequestBudget({ maxSteps: 100, maxBytes: 100 });

describe('the budget of a request', () => {
  test.each<[what: string, draw: (budget: RequestBudget) => void, message: string | undefined]>([
    ['as many steps as there are', (budget) => budget.spend(100), undefined],
    ['one step more', (budget) => budget.spend(101), '100 steps of work'],
    ['steps that are too many together', (budget) => [60, 60].map((steps) => budget.spend(steps)), '100 steps of work'],
    ['expressions, whose units are smaller than steps', (budget) => budget.spendOnExpressions(500), undefined],
    ['expressions that cost too much', (budget) => budget.spendOnExpressions(501), '100 steps of work'],
    ['each of few values', (budget) => budget.spendOnEach({ a: [1, 2], b: 'c' }, 20), undefined],
    ['each of too many values', (budget) => budget.spendOnEach({ a: [1, 2], b: 'c' }, 21), '100 steps of work'],
    ['as many bytes as there are', (budget) => budget.keep(100), undefined],
    ['one byte more', (budget) => budget.keep(101), '100 bytes kept'],
    ['a small copy', (budget) => budget.keepCopy({ a: 'b' }), undefined],
    ['a copy of many small values', (budget) => budget.keepCopy([1, 2, 3, 4, 5, 6, 7]), '100 bytes kept'],
    [
      'what grows with stored objects',
      (budget) => {
        budget.allow(3);
        budget.spend(400);
      },
      undefined,
    ],
  ])('suffices, or not, for %s', (_, draw, message) => {
    const budget = small();
    const refusal = message && `Request entity too large: limit is ${message} for one request`;
    if (refusal === undefined) draw(budget);
    else expect(() => draw(budget)).toThrow(new BudgetExhaustedError(100, message?.replace('100 ', '') ?? ''));
  });

  test('does not count what an attempt took in vain', () => {
    const budget = small();
    for (let round = 0; round < 5; round += 1) {
      const attempt = budget.attempt();
      budget.spend(90);
      budget.keep(90);
      attempt.undo();
    }
    budget.spend(100);
    expect(budget.spent).toEqual({ steps: 100, bytes: 0 });
  });

  test('refuses with the code of a request that is too large', () => {
    const error = new BudgetExhaustedError(7, 'steps of work');
    expect([error.code, error.statusReason, error.message]).toEqual([
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 7 steps of work for one request',
    ]);
  });
});
