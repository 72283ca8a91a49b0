import { describe, expect, test } from 'vitest';
import { manageJob } from '../../../lambdas/controllers/job/manageJob.ts';
import { assess, type JobCase } from '../../support/jobWorld.ts';

/** `create 2`, `create 0,3`, `abandon pi-1`, `delete pi-0`, `in 7000 ms`; abandoned pods are never counted, deleted ones are. */
function planned(jobCase: JobCase): string {
  const { creates, indexes, abandon, deletes, retryInMs, lookAgain } = manageJob(assess(jobCase));
  const names = (pods: typeof abandon) => pods.map(({ metadata }) => metadata.name).join(' ');
  const parts = [
    creates > 0 && `create ${indexes ? indexes.join(',') : creates}`,
    abandon.length > 0 && `abandon ${abandon.length > 3 ? abandon.length : names(abandon)}`,
    deletes.length > 0 && `delete ${names(deletes)}`,
    retryInMs !== undefined && `in ${retryInMs} ms`,
    lookAgain && 'and more',
  ];
  return parts.filter((part) => part !== false).join(', ') || 'nothing';
}

const many = (parallelism: number, completions: number, more: object = {}) => ({ parallelism, completions, ...more });
const indexed = (parallelism: number, completions: number, more: object = {}) =>
  many(parallelism, completions, { completionMode: 'Indexed', ...more });
const BARE = { completions: undefined };
const FAILED_ONLY = { podReplacementPolicy: 'Failed' };
const POLICY = { podFailurePolicy: { rules: [] } };
const PER_INDEX = { backoffLimitPerIndex: 3, backoffLimit: 2_147_483_647 };

describe('parallelism and completions', () => {
  test.each<[string, JobCase, string]>([
    ['as many pods as may run at a time', { spec: many(3, 5) }, 'create 3'],
    ['the pods that are missing', { spec: many(3, 5), pods: 'ready' }, 'create 2'],
    ['no more than are left to do', { spec: many(3, 5), status: { succeeded: 3 }, pods: 'ready' }, 'create 1'],
    ['no more when a success is not counted yet', { spec: many(3, 2), pods: 'succeeded ready' }, 'nothing'],
    ['nothing when all are done', { spec: many(3, 2), status: { succeeded: 2 } }, 'nothing'],
    ['as many as parallelism without completions', { spec: many(2, 0, BARE) }, 'create 2'],
    [
      'none after the first success without completions',
      { spec: many(3, 0, BARE), pods: 'succeeded ready' },
      'nothing',
    ],
    [
      'surplus pods go, those that run less first',
      { spec: many(1, 5), pods: 'ready pending running' },
      'abandon pi-1 pi-2',
    ],
    ['all go with a parallelism of 0', { spec: many(0, 5), pods: 'ready ready' }, 'abandon pi-0 pi-1'],
    ['at most 500 are created in a sync', { spec: many(700, 700) }, 'create 500, and more'],
  ])('%s', (_, jobCase, plan) => {
    expect(planned(jobCase)).toBe(plan);
  });
});

describe('back-off after failures', () => {
  test.each<[string, JobCase, string]>([
    ['10 s after the first', { spec: many(1, 1), pods: 'failed@3' }, 'in 7000 ms'],
    ['20 s after the second', { spec: many(1, 1), pods: 'failed@60 failed@3' }, 'in 17000 ms'],
    ['40 s after the third', { spec: many(1, 1), pods: 'failed@99 failed@60 failed@3' }, 'in 37000 ms'],
    ['is over', { spec: many(1, 1), pods: 'failed@11' }, 'create 1'],
    ['begins anew after a success', { spec: many(1, 3), pods: 'failed@60 succeeded@30 failed@3' }, 'in 7000 ms'],
    ['does not delete what runs', { spec: many(2, 3), pods: 'ready failed@3' }, 'in 7000 ms'],
  ])('%s', (_, jobCase, plan) => {
    expect(planned(jobCase)).toBe(plan);
  });
});

describe('pods that are being deleted', () => {
  test.each<[string, JobCase, string]>([
    ['are replaced', { spec: many(1, 1), pods: 'leaving' }, 'create 1'],
    ['are not replaced while only failed pods are', { spec: many(1, 1, FAILED_ONLY), pods: 'leaving' }, 'nothing'],
    ['are not replaced with a failure policy', { spec: many(1, 1, POLICY), pods: 'leaving' }, 'nothing'],
    ['take no place of others', { spec: many(3, 3, FAILED_ONLY), pods: 'leaving ready' }, 'create 1'],
    ['keep their index for themselves', { spec: indexed(2, 3, FAILED_ONLY), pods: '0:leaving' }, 'create 1'],
    ['leave their index to the next', { spec: indexed(1, 3), pods: '0:leaving' }, 'create 0'],
  ])('%s', (_, jobCase, plan) => {
    expect(planned(jobCase)).toBe(plan);
  });
});

describe('indexes', () => {
  test.each<[string, JobCase, string]>([
    ['the lowest first', { spec: indexed(2, 4) }, 'create 0,1'],
    [
      'those that are not done',
      { spec: indexed(2, 5), status: { completedIndexes: '0,2', succeeded: 2 } },
      'create 1,3',
    ],
    ['those that do not run', { spec: indexed(3, 5), pods: '1:ready' }, 'create 0,2'],
    ['one that failed, again', { spec: indexed(1, 2), pods: '0:failed@60' }, 'create 0'],
    ['only one pod of each', { spec: indexed(3, 3), pods: '0:ready 0:pending 1:ready' }, 'abandon pi-1'],
    ['none beyond the completions', { spec: indexed(1, 1), pods: '0:ready 3:ready' }, 'abandon pi-1'],
    ['no pod without one', { spec: indexed(2, 2), pods: '0:ready ready' }, 'abandon pi-1'],
    [
      'not those that failed for good',
      { spec: indexed(2, 3, PER_INDEX), status: { failedIndexes: '0' } },
      'create 1,2',
    ],
    [
      'each after a back-off of its own',
      { spec: indexed(3, 3, PER_INDEX), pods: '0:failed@3 1:failed@60' },
      'create 1,2, in 7000 ms',
    ],
    ['later, when each waits', { spec: indexed(2, 2, PER_INDEX), pods: '0:failed@3 1:failed@5#1' }, 'in 7000 ms'],
  ])('%s', (_, jobCase, plan) => {
    expect(planned(jobCase)).toBe(plan);
  });
});

describe('a Job that', () => {
  const leaving = { deletionTimestamp: '2026-01-01T00:59:00Z' };
  test.each<[string, JobCase, string]>([
    [
      'is suspended gives its pods up',
      { spec: many(2, 2, { suspend: true }), pods: 'ready pending' },
      'abandon pi-0 pi-1',
    ],
    ['is suspended creates none', { spec: many(2, 2, { suspend: true }) }, 'nothing'],
    ['is being deleted leaves its pods alone', { spec: many(1, 2), metadata: leaving, pods: 'ready ready' }, 'nothing'],
    [
      'fails deletes its pods, and counts them',
      { spec: many(2, 4, { backoffLimit: 0 }), pods: 'failed ready' },
      'delete pi-1',
    ],
  ])('%s', (_, jobCase, plan) => {
    expect(planned(jobCase)).toBe(plan);
  });
});
