import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const METRICS = '/apis/metrics.k8s.io/v1beta1';
const SIZE = { requests: { cpu: '250m', memory: '64Mi' } };

let api: Api;
beforeEach(async () => {
  api = await startApi();
  for (const name of ['node-1', 'node-2'])
    await api.call('POST', '/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { disk: name } },
      spec: { providerID: `driftless://${name}` },
    });
});

async function createPod(
  name: string,
  container: Members = {},
  annotations: Members = {},
  state: Members = { running: {} },
) {
  const named = Object.entries(annotations).map(([key, value]) => [`simulate.driftless.dev/${key}`, value]);
  await api.call('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations: Object.fromEntries(named) as Members },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx:1', ...container }] },
  });
  const containerStatuses = [{ name: 'main', state, image: 'nginx:1', imageID: '', ready: true, restartCount: 0 }];
  const headers = { 'content-type': 'application/merge-patch+json' };
  const path = `/api/v1/namespaces/default/pods/${name}/status`;
  await api.call('PATCH', path, { status: { phase: 'Running', containerStatuses } }, headers);
}

const usageOf = async (name: string) =>
  (await api.call('GET', `${METRICS}/namespaces/default/pods/${name}`)).body.containers?.[0].usage;

describe('metrics.k8s.io', () => {
  test('says what a running pod uses', async () => {
    await createPod('web', { resources: SIZE });
    expect((await api.call('GET', `${METRICS}/namespaces/default/pods/web`)).body).toEqual({
      kind: 'PodMetrics',
      apiVersion: 'metrics.k8s.io/v1beta1',
      metadata: {
        name: 'web',
        namespace: 'default',
        uid: '',
        resourceVersion: '',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { app: 'web' },
      },
      timestamp: '2026-01-01T00:00:00Z',
      window: '15s',
      containers: [{ name: 'main', usage: { cpu: '250m', memory: '64Mi' } }],
    });
  });

  test.each<[string, Members, Members, Members]>([
    ['what it requests', { resources: SIZE }, {}, { cpu: '250m', memory: '64Mi' }],
    ['what its annotations say', { resources: SIZE }, { 'cpu-usage': '1500m' }, { cpu: '1500m', memory: '64Mi' }],
    ['a little, if it requests nothing', {}, {}, { cpu: '1m', memory: '10Mi' }],
    ['no amount that cannot be', {}, { 'cpu-usage': '-1', 'memory-usage': 'much' }, { cpu: '1m', memory: '10Mi' }],
  ])('a container uses %s', async (_, container, annotations, usage) => {
    await createPod('web', container, annotations);
    expect(await usageOf('web')).toEqual(usage);
  });

  test('has nothing of a pod that does not run, or does not exist', async () => {
    await createPod('web', {}, {}, { waiting: { reason: 'ErrImagePull' } });
    for (const name of ['web', 'none']) {
      const { code, body } = await api.call('GET', `${METRICS}/namespaces/default/pods/${name}`);
      expect([code, body.message]).toEqual([404, `podmetrics.metrics.k8s.io "default/${name}" not found`]);
    }
    expect((await api.call('GET', `${METRICS}/pods`)).body.items).toEqual([]);
  });

  test('lists pods by namespace and label', async () => {
    await createPod('web', { resources: SIZE });
    await createPod('api');
    const list = async (path: string) =>
      ((await api.call('GET', METRICS + path)).body.items as { metadata: { name: string } }[]).map(
        ({ metadata }) => metadata.name,
      );
    expect(await list('/pods')).toEqual(['api', 'web']);
    expect(await list('/namespaces/default/pods?labelSelector=app%3Dweb')).toEqual(['web']);
    expect(await list('/namespaces/other/pods')).toEqual([]);
  });

  test('adds up what the pods of a node use', async () => {
    await createPod('web', { resources: SIZE });
    await createPod('api', {}, { 'cpu-usage': '750m' });
    const { body } = await api.call('GET', `${METRICS}/nodes`);
    const rows = (body.items as { metadata: Members; usage: Members }[]).map(({ metadata, usage }) => [
      metadata['name'],
      usage,
    ]);
    expect(rows).toEqual([
      ['node-1', { cpu: '1', memory: '74Mi' }],
      ['node-2', { cpu: '0', memory: '0' }],
    ]);
    expect((await api.call('GET', `${METRICS}/nodes/node-1`)).body.usage).toEqual({ cpu: '1', memory: '74Mi' });
    expect((await api.call('GET', `${METRICS}/nodes/none`)).code).toBe(404);
  });

  test('can only be read', async () => {
    expect((await api.call('DELETE', `${METRICS}/nodes/node-1`)).code).toBe(405);
  });
});
