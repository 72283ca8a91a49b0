import { expect, it } from 'vitest';
import { decideCollection } from '../../../lambdas/controllers/podgc/decideCollection.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';

const NOW_MS = Date.parse('2026-01-01T00:10:00Z');
const podOf = (phase: string, more = {}) =>
  ({
    metadata: { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
    status: { phase },
  }) as unknown as Pod;
const nodeOf = (ready: string, taints: readonly string[]) =>
  ({
    metadata: { name: 'n' },
    spec: { taints: taints.map((key) => ({ key: `node.kubernetes.io/${key}`, effect: 'NoExecute' })) },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as Node;
const deleted = { deletionTimestamp: '2026-01-01T00:09:00Z' };

it('removes a pod of a node that no longer exists, which failed because of that', () => {
  const pod = podOf('Running');
  expect(decideCollection(undefined, [pod], NOW_MS)).toMatchObject([
    {
      pod,
      marked: {
        status: {
          phase: 'Failed',
          conditions: [
            {
              type: 'DisruptionTarget',
              status: 'True',
              reason: 'DeletionByPodGC',
              message: 'PodGC: node no longer exists',
              lastTransitionTime: '2026-01-01T00:10:00Z',
            },
          ],
        },
      },
    },
  ]);
});

it('leaves the status of a pod that has ended as it is', () => {
  const pod = podOf('Succeeded');
  expect(decideCollection(undefined, [pod], NOW_MS)).toEqual([{ pod, marked: pod }]);
});

it.each([
  ['a pod that is too young to tell', undefined, podOf('Pending', { creationTimestamp: '2026-01-01T00:09:30Z' }), 0],
  ['a pod of a node that exists', nodeOf('Unknown', ['unreachable']), podOf('Running', deleted), 0],
  [
    'a pod of a node out of service that is not deleted yet',
    nodeOf('Unknown', ['out-of-service']),
    podOf('Running'),
    0,
  ],
  ['a deleted pod of a node out of service', nodeOf('Unknown', ['out-of-service']), podOf('Running', deleted), 1],
  [
    'a deleted pod of a node out of service that is ready',
    nodeOf('True', ['out-of-service']),
    podOf('Running', deleted),
    0,
  ],
])('%s', (_, node, pod, count) => {
  expect(decideCollection(node, [pod], NOW_MS)).toHaveLength(count);
});
