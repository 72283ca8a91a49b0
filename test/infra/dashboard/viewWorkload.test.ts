import { expect, test } from 'vitest';
import { decideDeploymentState } from '../../../infra/dashboard/views/viewWorkload.ts';
import type { Deployment } from '../../../lambdas/objects/kinds.ts';

const DONE = { desired: 3, updated: 3, total: 3, available: 3 };
const LATE = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too late' };

test.each([
  ['complete', {}, DONE, 'All 3 are available.'],
  ['progressing', {}, { ...DONE, updated: 1 }, '1 of 3 pods have the newest template.'],
  ['progressing', {}, { ...DONE, total: 4 }, '1 pod too many is still there.'],
  ['progressing', {}, { ...DONE, available: 2 }, '2 of 3 pods are available.'],
  ['paused', { spec: { paused: true } }, DONE, 'Paused: All 3 are available.'],
  ['stuck', { status: { observedGeneration: 1, conditions: [LATE] } }, { ...DONE, available: 0 }, 'too late'],
  ['progressing', { status: {} }, DONE, 'Its controller has not seen the last change yet.'],
] as const)('a Deployment is %s: %j %j', (state, fields, counts, says) => {
  const metadata = { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 1 };
  const deployment = { metadata, spec: {}, status: { observedGeneration: 1 }, ...fields } as unknown as Deployment;
  expect(decideDeploymentState(deployment, counts, [])).toEqual({ state, says });
});
