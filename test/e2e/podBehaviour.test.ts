import { describe, expect, test } from 'vitest';
import type { Cluster, PodBehaviour } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

async function available(cluster: Cluster): Promise<number> {
  return (await cluster.get('deployment/web')).status?.availableReplicas ?? 0;
}

describe('a behaviour rule', () => {
  test('by image makes pods of a bad image fail, and the rollout keeps the old pods', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      pods: [{ image: 'nginx:bad', behave: { failPull: true } }],
    });
    await cluster.apply(webDeployment('nginx:good'));
    await cluster.settle();
    await cluster.apply(webDeployment('nginx:bad'));
    await cluster.advance('1h');
    expect(await available(cluster)).toBe(8);
    const waiting = (await cluster.list('pods')).flatMap(
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason ?? [],
    );
    expect(waiting).toEqual(Array(5).fill('ImagePullBackOff'));
  });

  test('by labels delays the start of matching pods', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      pods: [{ labels: { app: 'web' }, behave: { startDelay: '5s' } }],
    });
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.advance('4s');
    expect(await available(cluster)).toBe(0);
    await cluster.advance('1s');
    expect(await available(cluster)).toBe(3);
  });

  test('by a regular expression and a namespace applies in that namespace only', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      pods: [{ image: /^nginx:/g, namespace: 'shop', behave: { neverReady: true } }],
    });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const inShop = webDeployment('nginx:1', 2);
    await cluster.apply([webDeployment('nginx:1', 2), { ...inShop, metadata: { name: 'web', namespace: 'shop' } }]);
    await cluster.settle();
    expect((await cluster.get('deployment/default/web')).status).toMatchObject({ availableReplicas: 2 });
    expect((await cluster.get('deployment/shop/web')).status).toMatchObject({ unavailableReplicas: 2 });
  });

  test('wins over earlier rules, and a pod`s own annotation wins over all rules', async () => {
    const cluster = await startTestCluster({
      clock: 'virtual',
      pods: [{ behave: { startDelay: '1m' } }, { labels: { app: 'web' }, behave: { startDelay: '10s' } }],
    });
    const containers = [{ name: 'web', image: 'nginx' }];
    const labels = { app: 'web' };
    const annotations = { 'simulate.driftless.dev/start-delay': '2s' };
    await cluster.apply([
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'early' }, spec: { containers } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'later', labels }, spec: { containers } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'own', labels, annotations }, spec: { containers } },
    ]);
    const running = async () => (await cluster.list('pods', { fieldSelector: 'status.phase=Running' })).map(nameOf);
    await cluster.advance('2s');
    expect(await running()).toEqual(['own']);
    await cluster.advance('8s');
    expect(await running()).toEqual(['later', 'own']);
    await cluster.advance('50s');
    expect(await running()).toEqual(['early', 'later', 'own']);
  });

  test.each<[PodBehaviour, string]>([
    [{ readyAfter: 30_000 }, 'ContainersNotReady'],
    [{ crashAfter: 500 }, 'CrashLoopBackOff'],
    [{ failPull: true }, 'ImagePullBackOff'],
  ])('%j shows %s after twenty seconds', async (behave, reason) => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave }] });
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.advance('20s');
    expect(await cluster.explain('deployment/web')).toContain(`${reason}: pod web-`);
  });

  test('does not change the stored pod', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { startDelay: '1s' } }] });
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.advance('1s');
    const [pod] = await cluster.list('pods');
    expect(pod?.metadata.annotations).toBeUndefined();
  });
});

function nameOf({ metadata }: { metadata: { name: string } }): string {
  return metadata.name;
}
