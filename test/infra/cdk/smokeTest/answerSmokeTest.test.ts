import { describe, expect, test } from 'vitest';
import { answerSmokeTest, type SmokeTestDeployment } from '../../../../infra/cdk/smokeTest/answerSmokeTest.ts';

const PASSED = { status: 'passed', tookMs: 8_240 } as const;
const FAILED = { status: 'failed', why: 'roll the Deployment: 500: no table' } as const;
const UNKNOWN = new Error('AccessDenied');

/** The stack tells these statuses, one after the other. */
function deployment(
  requestType: SmokeTestDeployment['requestType'],
  outcome: typeof PASSED | typeof FAILED,
  statuses: readonly (string | Error)[],
): SmokeTestDeployment & { runs: number } {
  const left = [...statuses];
  const one = {
    runs: 0,
    requestType,
    because: '',
    run: async () => {
      one.runs += 1;
      return outcome;
    },
    stackStatus: async () => {
      const status = left.shift() ?? new Error('asked too often');
      if (status instanceof Error) throw status;
      return status;
    },
  };
  return one;
}

const FAILS = {
  Status: 'FAILED',
  Reason:
    'The smoke test failed. roll the Deployment: 500: no table. -c driftless:smokeTest=false deploys without this test.',
};
const succeeds = (Outcome: string) => ({ Status: 'SUCCESS', Data: { Outcome } });
const PASSES = succeeds('passed in 8.2 s');
const ROLLING_BACK = succeeds('not run: the deployment is being rolled back');
const LET_PASS = (phase: string) =>
  succeeds(`failed, but did not stop the deployment, which is ${phase}: roll the Deployment: 500: no table`);

const UPDATING = 'UPDATE_IN_PROGRESS';

describe('what CloudFormation is answered', () => {
  test.each<[string, ReturnType<typeof deployment>, object, number]>([
    ['a creation that works', deployment('Create', PASSED, []), PASSES, 1],
    ['a creation that does not', deployment('Create', FAILED, []), FAILS, 1],
    ['an update that works', deployment('Update', PASSED, [UPDATING]), PASSES, 1],
    ['an update that does not', deployment('Update', FAILED, [UPDATING, UPDATING]), FAILS, 1],
    ['a rollback', deployment('Update', FAILED, ['UPDATE_ROLLBACK_IN_PROGRESS']), ROLLING_BACK, 0],
    [
      'an update that is cancelled meanwhile',
      deployment('Update', FAILED, [UPDATING, 'UPDATE_ROLLBACK_IN_PROGRESS']),
      LET_PASS('rolling back'),
      1,
    ],
    ['a rollback that is begun by hand', deployment('Update', FAILED, ['ROLLBACK_IN_PROGRESS']), ROLLING_BACK, 0],
    [
      'an update of which CloudFormation tells nothing',
      deployment('Update', FAILED, [UNKNOWN, UNKNOWN]),
      LET_PASS('in a state that CloudFormation does not tell'),
      1,
    ],
    ['an update of which it tells late', deployment('Update', FAILED, [UNKNOWN, UPDATING]), FAILS, 1],
    ['a deletion', deployment('Delete', FAILED, []), succeeds('not run: the test is being removed'), 0],
  ])('to %s', async (_, one, answer, runs) => {
    expect(await answerSmokeTest(one)).toEqual(answer);
    expect(one.runs).toBe(runs);
  });

  test('says what the test left out', async () => {
    const one = { ...deployment('Create', PASSED, []), because: 'there are no simulated nodes' };
    expect(await answerSmokeTest(one)).toEqual(
      succeeds('passed in 8.2 s, without waiting for pods: there are no simulated nodes'),
    );
  });
});
