import type { ContainerResizePolicy, ContainerStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';
import { PodTimeline } from '../../support/PodTimeline.ts';

const sized = (cpu: string, resizePolicy?: ContainerResizePolicy[]) => ({
  containers: [
    { name: 'main', image: 'nginx:1', resources: { requests: { cpu } }, ...(resizePolicy && { resizePolicy }) },
  ],
});

/** Runs a pod, changes its spec after ten seconds, and returns the line that follows and the statuses. */
async function change(before: ReturnType<typeof sized>, after: object) {
  const timeline = new PodTimeline({}, { nodeName: 'node-1', ...before });
  await timeline.run(10);
  const was = timeline.pod.status?.containerStatuses?.[0];
  const { metadata, spec } = timeline.pod;
  const changed = { containers: [], ...spec, ...after };
  timeline.pod = { ...timeline.pod, metadata: { ...metadata, generation: 2 }, spec: changed };
  await timeline.run(10);
  const { containerStatuses = [], ephemeralContainerStatuses = [] } = timeline.pod.status ?? {};
  return { was, is: containerStatuses[0], added: ephemeralContainerStatuses[0], timeline };
}

const startOf = (status: ContainerStatus | undefined) => status?.state?.running?.startedAt;

describe('a simulated node', () => {
  test('resizes a running container at once, and names what it has from then on', async () => {
    const { was, is } = await change(sized('100m'), sized('200m'));
    expect(was?.resources).toBeUndefined();
    const amounts = { requests: { cpu: '200m' } };
    expect(is).toEqual({ ...was, resources: amounts, allocatedResources: amounts.requests });
  });

  test.each<[string, string, number]>([
    ['restarts a container whose policy asks for it', 'cpu', 1],
    ['restarts no container for a resource that has not changed', 'memory', 0],
  ])('%s', async (_, resourceName, restartCount) => {
    const policy = [{ resourceName, restartPolicy: 'RestartContainer' }];
    const { was, is } = await change(sized('100m', policy), sized('200m', policy));
    expect(was?.resources).toEqual({ requests: { cpu: '100m' } });
    expect(is).toMatchObject({ restartCount, ready: true, resources: { requests: { cpu: '200m' } } });
    expect(startOf(is) === startOf(was)).toBe(restartCount === 0);
    expect(is?.lastState?.terminated?.exitCode).toBe(restartCount === 0 ? undefined : 0);
  });

  test('starts an ephemeral container, which says nothing of its readiness', async () => {
    const ephemeralContainers = [{ name: 'debugger', image: 'busybox:1' }];
    const { was, is, added } = await change(sized('100m'), { ephemeralContainers });
    expect(added).toMatchObject({ name: 'debugger', ready: false, restartCount: 0 });
    expect(startOf(added)).toBe('2026-01-01T00:00:10Z');
    expect(added?.started).toBeUndefined();
    expect(startOf(is)).toBe(startOf(was));
  });

  test('ends an ephemeral container with the pod, and never starts it again', async () => {
    const ephemeralContainers = [{ name: 'debugger', image: 'busybox:1' }];
    const { timeline } = await change(sized('100m'), { ephemeralContainers, activeDeadlineSeconds: 30 });
    await timeline.run(60);
    expect(timeline.pod.status?.phase).toBe('Failed');
    expect(timeline.pod.status?.ephemeralContainerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
  });

  test('reports an ephemeral container whose image it cannot pull', async () => {
    const { added } = await change(sized('100m'), {
      ephemeralContainers: [{ name: 'debugger', image: 'busybox:404' }],
    });
    expect(added?.state?.waiting?.reason).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
  });
});
