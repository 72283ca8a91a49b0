import { expect, test } from 'vitest';
import { viewFault, viewPodBehaviour } from '../../../infra/dashboard/views/viewTestControls.ts';

const apiVersion = 'testing.driftless.dev/v1';
const metadata = { name: 'one', uid: 'u', resourceVersion: '1', creationTimestamp: '' };

test.each([
  [{ conflict: true, times: 1 }, 'Each request by clients meets a conflict, 1 time.'],
  [
    { verb: 'create', resource: 'pods', by: 'controllers', respond: { reason: 'TooManyRequests' }, times: 3 },
    'Create of pods by controllers is refused with TooManyRequests, 3 times.',
  ],
  [
    { verb: 'get', namespace: 'shop', name: 'web', delay: '5s' },
    'Get named web in shop by clients is answered after 5s.',
  ],
  [{ respond: { code: 503 } }, 'Each request by clients is refused with 503.'],
] as const)('a fault %j in words', (spec, says) => {
  expect(viewFault({ apiVersion, kind: 'Fault', metadata, spec, status: { acted: 2 } })).toEqual({
    name: 'one',
    says,
    acted: 2,
  });
});

test.each([
  [{ image: 'nginx:2', behave: { failPull: true } }, 'Pods of nginx:2: failPull.'],
  [
    { imagePattern: '^web', labels: { app: 'a' }, namespace: 'b', behave: { readyAfter: '30s', exitCode: 3 } },
    'Pods of images like ^web with app=a in b: readyAfter 30s, exitCode 3.',
  ],
  [{ behave: { neverReady: true } }, 'Pods: neverReady.'],
] as const)('a behaviour %j in words', (spec, says) => {
  expect(viewPodBehaviour({ apiVersion, kind: 'PodBehaviour', metadata, spec })).toEqual({
    name: 'one',
    says,
    acted: 0,
  });
});
