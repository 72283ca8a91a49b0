import { expect, test } from 'vitest';
import { calculateRequests } from '../../../lambdas/controllers/podautoscaler/calculateRequests.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';

const requesting = (cpu?: string) => (cpu === undefined ? {} : { resources: { requests: { cpu } } });
const main = { name: 'main', ...requesting('100m') };

function podOf(spec: object): Pod {
  const metadata = { name: 'web', uid: '1', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: spec as Pod['spec'] & object };
}

test.each<[string, object, string | undefined, unknown]>([
  ['all containers together', { containers: [main, { name: 'log', ...requesting('50m') }] }, undefined, 150],
  ['one container', { containers: [main, { name: 'log', ...requesting('50m') }] }, 'log', 50],
  [
    'sidecars, and no other init containers',
    {
      containers: [main],
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', ...requesting('20m') },
        { name: 'setup', ...requesting('1') },
      ],
    },
    undefined,
    120,
  ],
  ['the pod as a whole', { containers: [main], ...requesting('400m') }, undefined, 400],
  [
    'a container, though the pod requests something as a whole',
    { containers: [main], ...requesting('400m') },
    'main',
    100,
  ],
  [
    'nothing, if a container requests nothing',
    { containers: [main, { name: 'log' }] },
    undefined,
    'missing request for cpu in container log of Pod web',
  ],
  ['nothing, if there is no such container', { containers: [main] }, 'log', 'container log not found in Pod web'],
  [
    'nothing, if the pod as a whole requests another resource',
    { containers: [main], resources: { requests: { memory: '1Gi' } } },
    undefined,
    'missing pod-level request for cpu in Pod web',
  ],
])('counts %s', (_, spec, container, expected) => {
  const requests = calculateRequests([podOf(spec)], container, 'cpu');
  expect(typeof requests === 'string' ? requests : requests.get('web')).toBe(expected);
});
