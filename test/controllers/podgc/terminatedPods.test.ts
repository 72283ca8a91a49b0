import { beforeEach, describe, expect, it } from 'vitest';
import { createPodGarbageCollector } from '../../../lambdas/controllers/podgc/createPodGarbageCollector.ts';
import { asksForCount, decideTerminated } from '../../../lambdas/controllers/podgc/decideTerminated.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const podOf = (name: string, phase: string, creationTimestamp = '2026-01-01T00:00:00Z', more: object = {}) =>
  ({ metadata: { name, uid: name, creationTimestamp, ...more }, status: { phase } }) as unknown as Pod;
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('of pods that have ended', () => {
  const pods = [
    podOf('young', 'Succeeded', '2026-01-03T00:00:00Z'),
    podOf('b', 'Failed', '2026-01-01T00:00:00Z'),
    podOf('a', 'Succeeded', '2026-01-01T00:00:00Z'),
    { ...podOf('evicted', 'Failed', '2026-01-02T00:00:00Z'), status: { phase: 'Failed', reason: 'Evicted' } },
    podOf('runs', 'Running', '2025-01-01T00:00:00Z'),
    podOf('goes', 'Succeeded', '2025-01-01T00:00:00Z', { deletionTimestamp: '2026-01-04T00:00:00Z' }),
  ] as Pod[];

  it.each([
    [4, []],
    [3, ['evicted']],
    [2, ['evicted', 'a']],
    [1, ['evicted', 'a', 'b']],
    [0, []],
  ])('%i stay: evicted ones go first, then the oldest', (threshold, deleted) => {
    expect(names(decideTerminated(pods, threshold))).toEqual(deleted);
  });
});

describe('pods are counted', () => {
  const ended = Array.from({ length: 5_000 }, (_, index) => podOf(`pod-${index}`, 'Succeeded'));
  const running = (pod: Pod): Pod => ({ ...pod, status: { phase: 'Running' } });

  it('about once while 2 % of the threshold end', () => {
    const asked = ended.filter((pod) => asksForCount(running(pod), pod, 12_500)).length;
    expect(asked).toBeGreaterThan(8);
    expect(asked).toBeLessThan(40);
  });

  it('each time with a small threshold', () => {
    expect(ended.every((pod) => asksForCount(running(pod), pod, 50))).toBe(true);
  });

  it.each([
    ['that runs', running(podOf('a', 'Running')), podOf('a', 'Running'), 5],
    ['that had ended before', podOf('a', 'Failed'), podOf('a', 'Failed'), 5],
    ['that is being deleted', undefined, podOf('a', 'Failed', '', { deletionTimestamp: '2026-01-01T00:00:00Z' }), 5],
    ['if all may stay', undefined, podOf('a', 'Failed'), 0],
  ])('not for a pod %s', (_, before, pod, threshold) => {
    expect(asksForCount(before, pod, threshold)).toBe(false);
  });
});

describe('the pod garbage collector', () => {
  let bench: ControllerBench;
  beforeEach(async () => {
    bench = new ControllerBench();
    bench.add(createPodGarbageCollector({ terminatedPods: 2, collectsUnscheduled: true }));
    await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    await bench.createNode('worker');
  });
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  const create = (name: string, more: object = {}, nodeName?: string) =>
    bench.create<Pod>('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', ...more },
      spec: { ...spec, ...(nodeName !== undefined && { nodeName }) },
    });
  const end = async (name: string) => {
    const pod = await create(name, {}, 'worker');
    await bench.registry.update('pods', { ...pod, status: { phase: 'Succeeded' } }, { subresource: 'status' });
    bench.clock.advanceBy(1_000);
  };

  it('deletes the oldest of too many that have ended, 20 s after the last of them', async () => {
    for (const name of ['first', 'second', 'third', 'fourth']) await end(name);
    await create('runs', {}, 'worker');
    await bench.settle();
    expect(await bench.names('pods')).toHaveLength(5);
    bench.clock.advanceBy(20_000);
    await bench.settle();
    expect(await bench.names('pods')).toEqual(['fourth', 'runs', 'third']);
  });

  it('fails a pod that is deleted before it got a node, so that its owner can let it go', async () => {
    await create('waits', { finalizers: ['batch.kubernetes.io/job-tracking'] });
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'waits' });
    await bench.settle();
    bench.clock.advanceBy(20_000);
    await bench.settle();
    expect((await bench.get<Pod>('pods', 'default', 'waits'))?.status?.phase).toBe('Failed');
  });
});
