import { describe, expect, test } from 'vitest';
import { podDisruptionBudgets } from '../../../lambdas/registry/resources/podDisruptionBudgets.ts';
import { createErrors, rowOf, statusErrors } from '../../support/kindBench.ts';

describe('a PodDisruptionBudget', () => {
  // The rows follow pkg/apis/policy/validation.
  test.each<[string, Record<string, unknown>, string[]]>([
    ['with a number (valid)', { minAvailable: 2 }, []],
    ['with a percentage (valid)', { maxUnavailable: '30%' }, []],
    [
      'with both bounds',
      { minAvailable: 1, maxUnavailable: 1 },
      [
        'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    [
      'with more than all',
      { minAvailable: '101%' },
      ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      'with less than none',
      { maxUnavailable: -1 },
      ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'with an unknown policy',
      { unhealthyPodEvictionPolicy: 'Never' },
      [
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])('%s', (_, spec, messages) => {
    expect(createErrors(podDisruptionBudgets, { spec })).toEqual(messages);
  });

  test('has counts in its status that are not negative', () => {
    expect(statusErrors(podDisruptionBudgets, { disruptionsAllowed: -1, currentHealthy: 2 })).toEqual([
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('is printed', () => {
    expect(
      rowOf(podDisruptionBudgets, { spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 1 } }),
    ).toMatchObject({
      'Min Available': '50%',
      'Max Unavailable': 'N/A',
      'Allowed Disruptions': 1,
    });
  });
});
