import { expect, test } from 'vitest';
import { rolloutProgress } from '../../../infra/commandLine/showRollout.ts';

const deployment = (replicas: number, status: object, generation = 1) => ({
  metadata: { name: 'web', generation },
  spec: { replicas, selector: {}, template: {} },
  status: { observedGeneration: 1, ...status },
});
const failed = { conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] };
const all = (count: number) => ({ replicas: count, updatedReplicas: count, availableReplicas: count });

// The same cases in which `kubectl rollout status` waits or ends.
test.each([
  [
    'a rollout that the controller has not observed',
    deployment(2, all(2), 2),
    false,
    'web [####################] 2 updated · 2 of 2 available',
  ],
  ['a rollout without new pods', deployment(2, {}), false, 'web [....................] 0 updated · 0 of 2 available'],
  [
    'a rollout whose new pods are not available',
    deployment(4, { ...all(4), availableReplicas: 1 }),
    false,
    'web [#####...............] 4 updated · 1 of 4 available',
  ],
  [
    'a rollout with old pods left',
    deployment(2, { ...all(2), replicas: 3 }),
    false,
    'web [####################] 2 updated · 2 of 2 available · 1 old',
  ],
  [
    'a complete rollout',
    deployment(2, all(2)),
    true,
    'web [####################] 2 updated · 2 of 2 available · rolled out',
  ],
  [
    'a complete rollout of no replicas',
    deployment(0, all(0)),
    true,
    'web [####################] 0 updated · 0 of 0 available · rolled out',
  ],
  [
    'a rollout that exceeded its progress deadline',
    deployment(2, { ...all(0), ...failed }),
    true,
    'web [....................] 0 updated · 0 of 2 available · exceeded its progress deadline',
  ],
])('the progress line shows %s', (_, object, hasEnded, line) => {
  expect(rolloutProgress(object as never)).toEqual({ line, hasEnded });
});
