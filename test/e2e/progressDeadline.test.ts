import { describe, expect, test } from 'vitest';
import { type Cluster } from '../../infra/testCluster/startCluster.ts';
import { hasKubectl, runKubectl } from '../support/kubectl.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const START = '2026-03-01T12:00:00Z';

async function condition(cluster: Cluster, type: string) {
  const { status } = await cluster.get('deployment/web');
  return status?.conditions?.find((one) => one.type === type);
}

describe('a virtual clock', () => {
  test('lets a ten-minute progress deadline pass in milliseconds of real time', async () => {
    const stuck = [{ image: 'nginx:bad', behave: { neverReady: true } }];
    const realMs = [];
    for (let run = 0; run < 3; run += 1) {
      const cluster = await startTestCluster({ clock: 'virtual', startTime: START, pods: stuck });
      await cluster.apply(webDeployment('nginx:bad'));
      await cluster.settle();
      expect(await condition(cluster, 'Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' });

      const begunMs = performance.now();
      await cluster.advance('10m1s');
      realMs.push(performance.now() - begunMs);
      expect(await condition(cluster, 'Progressing')).toMatchObject({
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        lastTransitionTime: '2026-03-01T12:10:00Z',
      });
    }
    expect(Math.min(...realMs)).toBeLessThan(50);
  });

  test('does not let a progress deadline pass a millisecond early', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { neverReady: true } }] });
    await cluster.apply(webDeployment('nginx:1', 2));
    await cluster.advance('10m');
    expect(await condition(cluster, 'Progressing')).toMatchObject({ status: 'True' });
    await cluster.advance(1);
    expect(await condition(cluster, 'Progressing')).toMatchObject({ status: 'False' });
  });

  test('moves past several deadlines in one call, each of which passes at its own time', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      startTime: START,
      pods: [{ behave: { neverReady: true } }],
    });
    for (const minutes of [1, 5, 30]) {
      const web = webDeployment('nginx:1', 2, { progressDeadlineSeconds: minutes * 60 });
      await cluster.apply({ ...web, metadata: { name: `web-${minutes}` } });
    }
    await cluster.advance('1h');
    const deployments = await cluster.list('deployments');
    const times = deployments.map(({ metadata, status }) => {
      const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
      return [metadata.name, progressing?.reason, progressing?.lastTransitionTime];
    });
    expect(times).toEqual([
      ['web-1', 'ProgressDeadlineExceeded', '2026-03-01T12:01:00Z'],
      ['web-30', 'ProgressDeadlineExceeded', '2026-03-01T12:30:00Z'],
      ['web-5', 'ProgressDeadlineExceeded', '2026-03-01T12:05:00Z'],
    ]);
  });

  test('makes pods available only after minReadySeconds', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 3, { minReadySeconds: 30 }));
    await cluster.settle();
    expect((await cluster.get('deployment/web')).status).toMatchObject({ readyReplicas: 3, unavailableReplicas: 3 });
    await cluster.advance('29s');
    expect((await cluster.get('deployment/web')).status?.availableReplicas).toBeUndefined();
    await cluster.advance('1s');
    expect((await cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
  });

  test('has nothing to do for a stuck rollout until time moves', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { failPull: true } }] });
    await cluster.apply(webDeployment());
    await cluster.settle();
    const before = await cluster.list('events');
    await cluster.settle();
    expect(await cluster.list('events')).toEqual(before);
    expect(await condition(cluster, 'Available')).toMatchObject({ status: 'False' });
  });

  test('gives events and creation times its own time', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', startTime: START });
    await cluster.advance('90s');
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.settle();
    expect(cluster.now().toISOString()).toBe('2026-03-01T12:01:30.000Z');
    const events = await cluster.list('events');
    expect(events.length).toBeGreaterThan(0);
    for (const { metadata, lastTimestamp } of events) {
      expect(metadata.creationTimestamp).toBe('2026-03-01T12:01:30Z');
      expect(lastTimestamp).toBe('2026-03-01T12:01:30Z');
    }
  });

  test('restarts a crash loop at once, then after 10 s, 20 s and 40 s', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { crashAfter: '1s' } }] });
    await cluster.apply(webDeployment('nginx:1', 1));
    const restarts = async () => (await cluster.list('pods'))[0]?.status?.containerStatuses?.[0]?.restartCount;
    const seen = [];
    for (const duration of ['1s', '10s', '1s', '20s', '1s', '40s', '1s']) {
      await cluster.advance(duration);
      seen.push(await restarts());
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3, 4]);
  });

  test('sends a watch one bookmark for each minute of its time', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    const query = 'watch=true&allowWatchBookmarks=true&timeoutSeconds=180';
    const response = await fetch(`${cluster.url}/api/v1/namespaces/default/pods?${query}`);
    const text = response.text();
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.advance('4m');
    const types = (await text)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type === 'BOOKMARK')).toHaveLength(3);
    expect(types[0]).toBe('ADDED');
    expect((await fetch(`${cluster.url}/readyz`)).status).toBe(200);
  });

  test.skipIf(!hasKubectl)('shows kubectl a rollout that exceeded its deadline in virtual time', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { failPull: true } }] });
    const kubectl = async (...args: string[]) => await runKubectl(cluster.kubeconfigPath, args);
    expect(await kubectl('create', 'deployment', 'web', '--image=nginx')).toMatchObject({ code: 0 });
    await cluster.advance('11m');
    expect(await kubectl('rollout', 'status', 'deployment/web')).toMatchObject({
      code: 1,
      stderr: 'error: deployment "web" exceeded its progress deadline\n',
    });
  });

  test('lets a month pass in seconds', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.advance('720h');
    expect(cluster.now().toISOString()).toBe('2026-01-31T00:00:00.000Z');
    expect((await cluster.get('deployment/web')).status).toMatchObject({ availableReplicas: 3 });
  });

  test('runs overlapping calls of advance one after the other', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await Promise.all([cluster.advance('1m'), cluster.advance('2m')]);
    expect(cluster.now().toISOString()).toBe('2026-01-01T00:03:00.000Z');
  });

  test.each(['', '10', '-1s', 'soon', -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %j as a duration',
    async (duration) => {
      const cluster = await startTestCluster({ clock: 'virtual', controllers: false });
      await expect(cluster.advance(duration)).rejects.toThrow('advance takes a duration such as 10m or 1m30s');
    },
  );

  test('is needed for advance: a real clock refuses it', async () => {
    const cluster = await startTestCluster({ controllers: false });
    await expect(cluster.advance('1s')).rejects.toThrow("start it with clock: 'virtual'");
  });
});
