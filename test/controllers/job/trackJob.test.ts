import type { JobStatus } from 'kubernetes-types/batch/v1.js';
import { describe, expect, test } from 'vitest';
import { assessJob } from '../../../lambdas/controllers/job/assessJob.ts';
import { trackJob } from '../../../lambdas/controllers/job/trackJob.ts';
import type { Job, Pod } from '../../../lambdas/objects/kinds.ts';

const CREATED = '2026-01-01T00:00:00Z';
const STARTED = '2026-01-01T00:01:00Z';
const NOW = '2026-01-01T00:05:00Z';
const SUSPENDED: JobStatus = {
  startTime: STARTED,
  conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended', lastTransitionTime: STARTED }],
};
const SETTLED = { active: 0, ready: 0, terminating: 0, isSettled: true };
const UNSETTLED = { ...SETTLED, active: 1, isSettled: false };

describe('the time at which a Job says that it started', () => {
  test.each<
    [
      string,
      { suspend: boolean; status?: JobStatus; phase?: 'Failed' | 'Succeeded' },
      typeof SETTLED,
      string | undefined,
    ]
  >([
    ['is now, of one that is new', { suspend: false }, SETTLED, NOW],
    ['is missing, of one that is suspended from its creation', { suspend: true }, SETTLED, undefined],
    ['stays, of one that runs', { suspend: false, status: { startTime: STARTED } }, SETTLED, STARTED],
    ['is cleared, of one that is suspended', { suspend: true, status: { startTime: STARTED } }, SETTLED, undefined],
    [
      'is cleared, of one that was suspended by an older release',
      { suspend: true, status: SUSPENDED },
      SETTLED,
      undefined,
    ],
    [
      'is now, of one whose last pod succeeds after it was suspended',
      { suspend: true, status: { conditions: SUSPENDED.conditions ?? [] }, phase: 'Succeeded' },
      SETTLED,
      NOW,
    ],
    [
      'stays, of one that is suspended and whose last pod succeeded',
      { suspend: true, status: { startTime: STARTED }, phase: 'Succeeded' },
      SETTLED,
      STARTED,
    ],
    ['is now, of one that is resumed', { suspend: false, status: SUSPENDED }, SETTLED, NOW],
    // The API server refuses another time as long as the Job does not say that it is resumed.
    [
      'stays, of one that is resumed and fails',
      { suspend: false, status: SUSPENDED, phase: 'Failed' },
      SETTLED,
      STARTED,
    ],
    [
      'stays, of one that is resumed and is about to fail',
      { suspend: false, status: SUSPENDED, phase: 'Failed' },
      UNSETTLED,
      STARTED,
    ],
  ])('%s', (_, { suspend, status, phase }, counts, startTime) => {
    const pods = phase ? [podOf(phase)] : [];
    const assessment = assessJob({ job: jobOf(suspend, status), pods, vanished: undefined, nowMs: Date.parse(NOW) });

    expect(trackJob(assessment, counts).status.startTime).toBe(startTime);
  });
});

function jobOf(suspend: boolean, status: JobStatus = {}): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'pi', namespace: 'default', uid: 'job', resourceVersion: '1', creationTimestamp: CREATED },
    spec: {
      suspend,
      parallelism: 1,
      completions: 1,
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'perl' }] } },
    },
    status,
  };
}

function podOf(phase: 'Failed' | 'Succeeded'): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pi-x',
      namespace: 'default',
      uid: 'pod',
      resourceVersion: '1',
      creationTimestamp: CREATED,
      finalizers: ['batch.kubernetes.io/job-tracking'],
    },
    status: { phase },
  };
}
