import { describe, expect, test } from 'vitest';
import { intervalsOf } from '../../../lambdas/controllers/job/indexIntervals.ts';
import { matchPodFailurePolicy } from '../../../lambdas/controllers/job/matchPodFailurePolicy.ts';
import { matchSuccessPolicy } from '../../../lambdas/controllers/job/matchSuccessPolicy.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';

function failedPod(exitCodes: Record<string, number>, init: Record<string, number> = {}): Pod {
  const statuses = (codes: Record<string, number>) =>
    Object.entries(codes).map(([name, exitCode]) => ({
      name,
      ready: false,
      restartCount: 0,
      image: 'perl',
      imageID: '',
      state: { terminated: { exitCode } },
    }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pi-x',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    status: {
      phase: 'Failed',
      containerStatuses: statuses(exitCodes),
      initContainerStatuses: statuses(init),
      conditions: [{ type: 'DisruptionTarget', status: 'True' }],
    },
  };
}

const exits = (action: string, operator: string, values: number[], containerName?: string) => ({
  action,
  onExitCodes: { operator, values, ...(containerName !== undefined && { containerName }) },
});

describe('a pod failure policy', () => {
  test.each([
    ['counts without rules', [], {}, { action: undefined, counts: true }],
    ['counts what no rule matches', [exits('Ignore', 'In', [2])], {}, { action: undefined, counts: true }],
    ['ignores a code of the list', [exits('Ignore', 'In', [3])], {}, { action: 'Ignore', counts: false }],
    ['ignores a code outside of the list', [exits('Ignore', 'NotIn', [2])], {}, { action: 'Ignore', counts: false }],
    ['never matches success', [exits('Ignore', 'NotIn', [2], 'side')], {}, { action: undefined, counts: true }],
    [
      'goes by the first rule',
      [exits('Count', 'In', [3]), exits('FailIndex', 'In', [3])],
      {},
      { action: 'Count', counts: true },
    ],
    ['gives up an index', [exits('FailIndex', 'In', [3], 'main')], {}, { action: 'FailIndex', counts: true }],
    [
      'looks at init containers, too',
      [exits('FailIndex', 'In', [9])],
      { init: 9 },
      { action: 'FailIndex', counts: true },
    ],
    [
      'matches conditions',
      [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      {},
      { action: 'Ignore', counts: false },
    ],
    [
      'does not match a condition of another status',
      [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'False' }] }],
      {},
      { action: undefined, counts: true },
    ],
    [
      'fails the Job for an exit code',
      [exits('FailJob', 'In', [3])],
      {},
      {
        action: 'FailJob',
        counts: true,
        message: 'Container main for pod default/pi-x failed with exit code 3 matching FailJob rule at index 0',
      },
    ],
    [
      'fails the Job for a condition',
      [{ action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      {},
      {
        action: 'FailJob',
        counts: true,
        message: 'Pod default/pi-x has condition DisruptionTarget matching FailJob rule at index 0',
      },
    ],
  ])('%s', (_, rules, init: Record<string, number>, match) => {
    expect(matchPodFailurePolicy({ rules }, failedPod({ side: 0, main: 3 }, init))).toEqual(match);
  });
});

describe('a success policy', () => {
  test.each([
    ['needs all indexes of a rule', [{ succeededIndexes: '0,2' }], [0, 1], undefined],
    ['is met by all indexes of a rule', [{ succeededIndexes: '0,2' }], [0, 2, 5], 'Matched rules at index 0'],
    ['is met by enough of them', [{ succeededIndexes: '0-5', succeededCount: 2 }], [1, 4], 'Matched rules at index 0'],
    ['does not count other indexes', [{ succeededIndexes: '0-3', succeededCount: 2 }], [1, 5], undefined],
    ['is met by a number of any indexes', [{ succeededCount: 2 }], [7, 8], 'Matched rules at index 0'],
    [
      'names the rule that is met first',
      [{ succeededCount: 9 }, { succeededCount: 1 }],
      [3],
      'Matched rules at index 1',
    ],
    ['is never met by nothing', [{ succeededCount: 0 }], [], undefined],
  ])('%s', (_, rules, succeeded, message) => {
    expect(matchSuccessPolicy({ rules }, 10, intervalsOf(succeeded))).toBe(message);
  });
});
