import { expect, test } from 'vitest';
import { decideDeploymentState, viewDaemonSet, viewStatefulSet } from '../../../infra/dashboard/views/viewWorkload.ts';
import type { DaemonSet, Deployment, StatefulSet } from '../../../lambdas/objects/kinds.ts';

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

test.each([
  [{}, 1, 'progressing', '1 of 3 pods have the newest template.'],
  [
    { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
    1,
    'complete',
    'All 3 are available; 2 keep an older template, as asked.',
  ],
  [
    { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    1,
    'progressing',
    '1 of 2 pods have the newest template.',
  ],
  [{ type: 'OnDelete' }, 2, 'complete', 'All 3 are available; 1 keeps an older template, as asked.'],
  [{ type: 'OnDelete' }, 3, 'complete', 'All 3 are available.'],
])('a StatefulSet with the strategy %j, and %i pods updated, is %s', (updateStrategy, updated, state, says) => {
  const metadata = { name: 'db', namespace: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const status = { replicas: 3, updatedReplicas: updated, availableReplicas: 3 };
  const set = { metadata, spec: { replicas: 3, updateStrategy }, status } as unknown as StatefulSet;
  expect(viewStatefulSet(set)).toMatchObject({ state, says });
});

test('a DaemonSet whose pods are replaced when somebody deletes them is complete', () => {
  const metadata = { name: 'agent', namespace: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const status = {
    desiredNumberScheduled: 2,
    currentNumberScheduled: 2,
    updatedNumberScheduled: 0,
    numberAvailable: 2,
  };
  const set = { metadata, spec: { updateStrategy: { type: 'OnDelete' } }, status } as unknown as DaemonSet;
  expect(viewDaemonSet(set)).toMatchObject({ state: 'complete' });
});
