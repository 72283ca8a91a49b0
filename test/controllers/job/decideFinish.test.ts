import { describe, expect, test } from 'vitest';
import { trackJob } from '../../../lambdas/controllers/job/trackJob.ts';
import { assess, type JobCase } from '../../support/jobWorld.ts';

/** `FailureTarget BackoffLimitExceeded`, or `goes on`. */
function finishing(jobCase: JobCase): string {
  const { finishing: condition } = assess(jobCase);
  return condition ? `${condition.type} ${condition.reason}` : 'goes on';
}

const spec = (more: object) => ({ parallelism: 5, completions: 5, ...more });
const indexed = (more: object) => spec({ completionMode: 'Indexed', ...more });
const perIndex = (more: object = {}) => indexed({ backoffLimitPerIndex: 1, backoffLimit: 2_147_483_647, ...more });
const onFailure = (backoffLimit: number) =>
  spec({ backoffLimit, template: { spec: { restartPolicy: 'OnFailure', containers: [] } } });
const rule = (action: string, values: number[]) => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values } }] },
});
const success = (...rules: object[]) => indexed({ successPolicy: { rules } });
const suspendedAt = (startTime: string) => ({ startTime, conditions: [{ type: 'Suspended', status: 'True' }] });
const condition = (type: string, reason: string) => ({ conditions: [{ type, status: 'True', reason }] });

const FAILED = 'FailureTarget';
const SUCCEEDED = 'SuccessCriteriaMet';

describe('a Job ends early', () => {
  test.each<[string, JobCase, string]>([
    [
      'not before its limit of failures is exceeded',
      { spec: spec({ backoffLimit: 2 }), pods: 'failed failed' },
      'goes on',
    ],
    ['when it is', { spec: spec({ backoffLimit: 2 }), pods: 'failed failed failed' }, `${FAILED} BackoffLimitExceeded`],
    [
      'by failures that were counted before',
      { spec: spec({ backoffLimit: 2 }), status: { failed: 2 }, pods: 'failed' },
      `${FAILED} BackoffLimitExceeded`,
    ],
    [
      'by pods that are being deleted',
      { spec: spec({ backoffLimit: 0 }), pods: 'leaving' },
      `${FAILED} BackoffLimitExceeded`,
    ],
    [
      'not by these while only failed pods are replaced',
      { spec: spec({ backoffLimit: 0, podReplacementPolicy: 'Failed' }), pods: 'leaving' },
      'goes on',
    ],
    [
      'by restarts of containers',
      { spec: onFailure(3), pods: 'running+2 running+1' },
      `${FAILED} BackoffLimitExceeded`,
    ],
    ['not by fewer restarts', { spec: onFailure(3), pods: 'running+2' }, 'goes on'],
    ['by one restart with a limit of 0', { spec: onFailure(0), pods: 'running+1' }, `${FAILED} BackoffLimitExceeded`],
    ['not by restarts with another restart policy', { spec: spec({ backoffLimit: 0 }), pods: 'running+9' }, 'goes on'],
    ['at its deadline', { spec: spec({ activeDeadlineSeconds: 3_600 }) }, `${FAILED} DeadlineExceeded`],
    ['not before', { spec: spec({ activeDeadlineSeconds: 3_601 }) }, 'goes on'],
    ['not while it is suspended', { spec: spec({ activeDeadlineSeconds: 1, suspend: true }) }, 'goes on'],
    [
      'not by time before it was resumed',
      { spec: spec({ activeDeadlineSeconds: 60 }), status: suspendedAt('2026-01-01T00:00:00Z') },
      'goes on',
    ],
    [
      'by a pod that its policy says so of',
      { spec: spec(rule('FailJob', [42])), pods: 'failed=42' },
      `${FAILED} PodFailurePolicy`,
    ],
    [
      'not by one that the policy ignores',
      { spec: spec({ backoffLimit: 0, ...rule('Ignore', [42]) }), pods: 'failed=42' },
      'goes on',
    ],
    [
      'by one that the policy counts',
      { spec: spec({ backoffLimit: 0, ...rule('Count', [42]) }), pods: 'failed=42' },
      `${FAILED} BackoffLimitExceeded`,
    ],
    [
      'by the policy rather than by the limit',
      { spec: spec({ backoffLimit: 0, ...rule('FailJob', [42]) }), pods: 'failed=42' },
      `${FAILED} PodFailurePolicy`,
    ],
  ])('%s', (_, jobCase, ends) => {
    expect(finishing(jobCase)).toBe(ends);
  });
});

describe('a Job with a limit for each index ends', () => {
  test.each<[string, JobCase, string]>([
    ['not while other indexes can succeed', { spec: perIndex(), pods: '0:failed#1' }, 'goes on'],
    [
      'when all indexes are over and one has failed',
      { spec: perIndex({ completions: 2 }), pods: '0:failed#1 1:succeeded' },
      `${FAILED} FailedIndexes`,
    ],
    [
      'when more indexes have failed than may',
      { spec: perIndex({ maxFailedIndexes: 1 }), pods: '0:failed#1 1:failed#1' },
      `${FAILED} MaxFailedIndexesExceeded`,
    ],
    ['not when as many have failed as may', { spec: perIndex({ maxFailedIndexes: 1 }), pods: '0:failed#1' }, 'goes on'],
    [
      'when its policy gives up too many',
      { spec: perIndex({ maxFailedIndexes: 0, ...rule('FailIndex', [42]) }), pods: '0:failed=42#0' },
      `${FAILED} MaxFailedIndexesExceeded`,
    ],
  ])('%s', (_, jobCase, ends) => {
    expect(finishing(jobCase)).toBe(ends);
  });
});

describe('a success policy', () => {
  test.each<[string, JobCase, string]>([
    [
      'is met by its indexes',
      { spec: success({ succeededIndexes: '1,3' }), pods: '1:succeeded 3:succeeded 4:ready' },
      `${SUCCEEDED} SuccessPolicy`,
    ],
    [
      'is met by a number',
      { spec: success({ succeededCount: 2 }), pods: '1:succeeded 3:succeeded' },
      `${SUCCEEDED} SuccessPolicy`,
    ],
    ['is not met by fewer', { spec: success({ succeededCount: 2 }), pods: '1:succeeded' }, 'goes on'],
    [
      'is not looked at when the Job fails',
      { spec: { ...success({ succeededCount: 1 }), backoffLimit: 0 }, pods: '0:succeeded 1:failed' },
      `${FAILED} BackoffLimitExceeded`,
    ],
    [
      'that was met stays met, whatever fails later',
      {
        spec: { ...success({ succeededCount: 1 }), backoffLimit: 0 },
        status: condition(SUCCEEDED, 'SuccessPolicy'),
        pods: '1:failed',
      },
      `${SUCCEEDED} SuccessPolicy`,
    ],
  ])('%s', (_, jobCase, ends) => {
    expect(finishing(jobCase)).toBe(ends);
  });

  test('does not matter once the Job has begun to fail', () => {
    const status = condition(FAILED, 'DeadlineExceeded');
    expect(finishing({ spec: success({ succeededCount: 1 }), status, pods: '0:succeeded' })).toBe(
      'Failed DeadlineExceeded',
    );
  });
});

describe('the status of a Job', () => {
  /** What a sync that neither creates nor deletes writes first. */
  function statusOf(jobCase: JobCase): Record<string, unknown> {
    const assessment = assess(jobCase);
    const { active, ready, terminating } = assessment;
    const counts = { active: active.length, ready, terminating, isSettled: true };
    const { startTime: _, ...status } = trackJob(assessment, counts).status;
    return { ...status };
  }

  const NONE = { ready: 0, terminating: 0, uncountedTerminatedPods: {} };

  test.each<[string, JobCase, Record<string, unknown>]>([
    [
      'counts active pods and those of them that are ready',
      { spec: spec({}), pods: 'pending running ready' },
      { ...NONE, active: 3, ready: 1 },
    ],
    [
      'counts pods that are being deleted as terminating, and as failed',
      { spec: spec({}), pods: 'leaving' },
      { ...NONE, terminating: 1, uncountedTerminatedPods: { failed: ['pod-0'] } },
    ],
    [
      'counts them only as terminating while only failed pods are replaced',
      { spec: spec({ podReplacementPolicy: 'Failed' }), pods: 'leaving' },
      { ...NONE, terminating: 1 },
    ],
    [
      'names pods that have ended, before it counts them',
      { spec: spec({}), status: { succeeded: 1 }, pods: 'succeeded failed' },
      { ...NONE, succeeded: 1, uncountedTerminatedPods: { succeeded: ['pod-0'], failed: ['pod-1'] } },
    ],
    ['does not name what its policy ignores', { spec: spec(rule('Ignore', [42])), pods: 'failed=42' }, NONE],
    [
      'names indexes that have succeeded',
      { spec: indexed({}), pods: '0:succeeded 1:succeeded 3:succeeded 4:ready' },
      { ...NONE, active: 1, ready: 1, succeeded: 3, completedIndexes: '0,1,3' },
    ],
    [
      'joins three indexes in a row',
      { spec: indexed({}), status: { completedIndexes: '0,1' }, pods: '2:succeeded' },
      { ...NONE, succeeded: 3, completedIndexes: '0-2' },
    ],
    [
      'names indexes that have failed for good',
      { spec: perIndex(), pods: '0:failed#1 2:ready' },
      { ...NONE, active: 1, ready: 1, failedIndexes: '0', uncountedTerminatedPods: { failed: ['pod-0'] } },
    ],
    [
      'says that no index has failed',
      { spec: perIndex(), pods: '2:ready' },
      { ...NONE, active: 1, ready: 1, failedIndexes: '' },
    ],
  ])('%s', (_, jobCase, status) => {
    expect(statusOf(jobCase)).toEqual(status);
  });

  test.each<[string, JobCase, string[]]>([
    [
      'is complete in two steps',
      { spec: spec({ completions: 1 }), pods: 'succeeded' },
      [`${SUCCEEDED} CompletionsReached`, 'Complete CompletionsReached'],
    ],
    [
      'is complete with one success without completions',
      { spec: spec({ completions: undefined }), pods: 'succeeded' },
      [`${SUCCEEDED} CompletionsReached`, 'Complete CompletionsReached'],
    ],
    [
      'is complete at once with no completions wanted',
      { spec: spec({ completions: 0 }) },
      [`${SUCCEEDED} CompletionsReached`, 'Complete CompletionsReached'],
    ],
    ['is not complete while a pod is active', { spec: spec({ completions: 1 }), pods: 'succeeded ready' }, []],
    [
      'fails in two steps',
      { spec: spec({ backoffLimit: 0 }), pods: 'failed' },
      [`${FAILED} BackoffLimitExceeded`, 'Failed BackoffLimitExceeded'],
    ],
    ['does not fail while a pod is active', { spec: spec({ backoffLimit: 0 }), pods: 'failed ready' }, []],
    ['says that it is suspended', { spec: spec({ suspend: true }) }, ['Suspended JobSuspended']],
    [
      'says that it is resumed',
      { spec: spec({}), status: suspendedAt('2026-01-01T00:00:00Z') },
      ['Suspended JobResumed'],
    ],
  ])('%s', (_, jobCase, conditions) => {
    const assessment = assess(jobCase);
    const { active, ready, terminating } = assessment;
    const { status, final } = trackJob(assessment, { active: active.length, ready, terminating, isSettled: true });
    const written = [...(status.conditions ?? []), ...(final ? [final] : [])];
    expect(written.map(({ type, reason }) => `${type} ${reason}`)).toEqual(conditions);
  });
});
