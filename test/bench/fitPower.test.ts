import { expect, it } from 'vitest';
import { fitPower } from './fitPower.ts';

it.each([
  ['linear', [10, 100, 1_000].map((size) => ({ size, cost: 3 * size })), 3, 1],
  ['quadratic', [10, 20, 40].map((size) => ({ size, cost: 0.5 * size * size })), 0.5, 2],
  ['one point', [{ size: 10, cost: 20 }], 2, 1],
])('finds how a cost grows: %s', (_, points, factor, exponent) => {
  const fit = fitPower(points);
  expect(fit.factor).toBeCloseTo(factor);
  expect(fit.exponent).toBeCloseTo(exponent);
});
