import { beforeEach, describe, expect, test } from 'vitest';
import type { Registry } from '../../../lambdas/registry/Registry.ts';
import { MAX_DESCRIBED_OBJECTS } from '../../../lambdas/rest/metrics/discoverMetrics.ts';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const CUSTOM = '/apis/custom.metrics.k8s.io/v1beta2';
const EXTERNAL = '/apis/external.metrics.k8s.io/v1beta1';
const NOW = '2026-01-01T00:00:00Z';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const MERGE = { 'content-type': 'application/merge-patch+json' };

let api: Api;
beforeEach(async () => {
  api = await startApi();
  const spec = { providerID: 'driftless://node-1' };
  await api.call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' }, spec });
});

function annotated(annotations: Members): Members {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`simulate.driftless.dev/${key}`, value]),
  );
}

async function createPod(name: string, annotations: Members) {
  await api.call('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name }, annotations: annotated(annotations) },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx:1' }] },
  });
}

async function createService(name: string, annotations: Members) {
  const metadata = { name, labels: { app: name }, annotations: annotated(annotations) };
  const spec = { ports: [{ port: 80 }] };
  await api.call('POST', '/api/v1/namespaces/default/services', { apiVersion: 'v1', kind: 'Service', metadata, spec });
}

const annotateNamespace = (annotations: Members) =>
  api.call('PATCH', '/api/v1/namespaces/default', { metadata: { annotations: annotated(annotations) } }, MERGE);

const get = async (path: string) => (await api.call('GET', path)).body;
const valuesOf = async (path: string) =>
  ((await get(path)).items as { describedObject: { name: string }; value: string }[]).map(
    ({ describedObject, value }) => `${describedObject.name} ${value}`,
  );

describe('custom.metrics.k8s.io', () => {
  test('has the values of pods', async () => {
    await createPod('a', { 'metric-rps': '12500m' });
    await createPod('b', { 'metric-rps': '3' });
    await createPod('c', {});
    expect(await get(`${CUSTOM}/namespaces/default/pods/*/rps?labelSelector=app%3Da`)).toEqual({
      kind: 'MetricValueList',
      apiVersion: 'custom.metrics.k8s.io/v1beta2',
      metadata: {},
      items: [
        {
          describedObject: { kind: 'Pod', namespace: 'default', name: 'a', apiVersion: 'v1' },
          metric: { name: 'rps', selector: null },
          timestamp: NOW,
          windowSeconds: 15,
          value: '12500m',
        },
      ],
    });
    expect(await valuesOf(`${CUSTOM}/namespaces/default/pods/*/rps`)).toEqual(['a 12500m', 'b 3']);
    expect(await valuesOf(`${CUSTOM}/namespaces/default/pods/b/rps`)).toEqual(['b 3']);
  });

  test('has the values of other objects and of namespaces', async () => {
    await createService('web', { 'metric-hits': '7' });
    await createService('api', { 'metric-hits': '8' });
    await createService('none', {});
    await annotateNamespace({ 'metric-users': '90' });
    expect(await valuesOf(`${CUSTOM}/namespaces/default/services/web/hits`)).toEqual(['web 7']);
    expect(await valuesOf(`${CUSTOM}/namespaces/default/services/*/hits`)).toEqual(['api 8', 'web 7']);
    expect(await valuesOf(`${CUSTOM}/namespaces/default/services/*/hits?labelSelector=app%3Dapi`)).toEqual(['api 8']);
    expect(await valuesOf(`${CUSTOM}/namespaces/default/metrics/users`)).toEqual(['default 90']);
  });

  test.each([
    ['namespaces/default/pods/*/rps', 'the server could not find the metric rps for pods'],
    ['namespaces/default/services/web/other', 'the server could not find the metric other for Service web'],
    ['namespaces/default/services/none/hits', 'services "none" not found'],
    ['namespaces/default/unheard/web/hits', 'the server could not find the requested resource'],
    ['namespaces/default/services/web', 'the server could not find the requested resource'],
  ])('answers 404 for %s', async (path, message) => {
    await createService('web', { 'metric-hits': '7' });
    const { code, body } = await api.call('GET', `${CUSTOM}/${path}`);
    expect([code, body.message]).toEqual([404, message]);
  });

  test('can only be read', async () => {
    expect((await api.call('DELETE', `${CUSTOM}/namespaces/default/pods/*/rps`)).code).toBe(405);
  });
});

describe('external.metrics.k8s.io', () => {
  test('has the selected series of a metric', async () => {
    await annotateNamespace({ 'external-queue': '{queue=orders}30;{queue=mail}5' });
    expect(await get(`${EXTERNAL}/namespaces/default/queue?labelSelector=queue%3Dorders`)).toEqual({
      kind: 'ExternalMetricValueList',
      apiVersion: 'external.metrics.k8s.io/v1beta1',
      metadata: {},
      items: [{ metricName: 'queue', metricLabels: { queue: 'orders' }, timestamp: NOW, value: '30' }],
    });
    expect((await get(`${EXTERNAL}/namespaces/default/queue`)).items).toHaveLength(2);
    expect((await get(`${EXTERNAL}/namespaces/default/other`)).items).toEqual([]);
  });

  test('says which annotation it cannot read', async () => {
    await annotateNamespace({ 'external-queue': '{queue=orders' });
    const { code, body } = await api.call('GET', `${EXTERNAL}/namespaces/default/queue`);
    expect([code, body.message]).toEqual([
      404,
      expect.stringContaining('simulate.driftless.dev/external-queue: "{queue=orders" is not'),
    ]);
  });
});

describe('discovery', () => {
  test('lists the groups, and the metrics that there are', async () => {
    const groups = (await get('/apis')).groups as { name: string; preferredVersion: Members }[];
    const found = groups
      .filter(({ name }) => /custom|external/.test(name))
      .map((one) => one.preferredVersion['groupVersion']);
    expect(found).toEqual(['custom.metrics.k8s.io/v1beta2', 'external.metrics.k8s.io/v1beta1']);
    expect((await get(CUSTOM)).resources).toEqual([]);
    await createPod('a', { 'metric-rps': '1' });
    await createService('web', { 'metric-hits': '7' });
    await annotateNamespace({ 'external-queue': '1', 'metric-users': '2' });
    const resources = (await get(CUSTOM)).resources as Members[];
    expect(resources.map(({ name }) => name)).toEqual(['namespaces/users', 'pods/rps', 'services/hits']);
    expect(resources[1]).toEqual({
      name: 'pods/rps',
      singularName: '',
      namespaced: true,
      kind: 'MetricValueList',
      verbs: ['get'],
    });
    expect((await get(EXTERNAL)).resources).toMatchObject([{ name: 'queue', kind: 'ExternalMetricValueList' }]);
    expect((await get('/apis/apiregistration.k8s.io/v1/apiservices/v1beta2.custom.metrics.k8s.io')).kind).toBe(
      'APIService',
    );
  });

  test('lists them in the aggregated document, too, which is made anew after a minute', async () => {
    const listed = async () => {
      const { body } = await api.call('GET', '/apis', undefined, { accept: AGGREGATED });
      const items = body.items as { metadata: { name: string }; versions: { resources: Members[] }[] }[];
      return Object.fromEntries(
        items.flatMap(({ metadata, versions }) =>
          metadata.name.endsWith('al.metrics.k8s.io') || metadata.name.startsWith('custom.')
            ? [[metadata.name, versions[0]?.resources]]
            : [],
        ),
      );
    };
    await createPod('a', { 'metric-rps': '1', 'metric-errors': '2' });
    await annotateNamespace({ 'external-queue': '1' });
    const kind = { group: '', version: '' };
    const ofPod = (subresource: string) => ({
      subresource,
      responseKind: { ...kind, kind: 'MetricValueList' },
      verbs: ['get'],
    });
    const pods = {
      resource: 'pods',
      responseKind: { ...kind, kind: '' },
      scope: 'Namespaced',
      singularResource: '',
      verbs: [],
      subresources: [ofPod('errors'), ofPod('rps')],
    };
    const queue = {
      resource: 'queue',
      responseKind: { ...kind, kind: 'ExternalMetricValueList' },
      scope: 'Namespaced',
      singularResource: '',
      verbs: ['get'],
    };
    expect(await listed()).toEqual({ 'custom.metrics.k8s.io': [pods], 'external.metrics.k8s.io': [queue] });
    await createPod('b', { 'metric-new': '1' });
    expect((await listed())['custom.metrics.k8s.io']).toEqual([pods]);
    api.clock.advanceBy(60_000);
    expect((await listed())['custom.metrics.k8s.io']?.[0]?.['subresources']).toEqual(
      ['errors', 'new', 'rps'].map(ofPod),
    );
  });

  test('reads no more than some objects of each resource, however large the cluster is', async () => {
    const limits: (number | undefined)[] = [];
    const list: Registry['list'] = (resource, options) => {
      limits.push(options?.limit);
      return api.registry.list(resource, options);
    };
    const watched = await startApi({ registry: { ...api.registry, list } });
    await watched.call('GET', '/apis', undefined, { accept: AGGREGATED });
    await watched.call('GET', CUSTOM);
    expect(limits.length).toBeGreaterThan(0);
    expect(new Set(limits)).toEqual(new Set([MAX_DESCRIBED_OBJECTS]));
  });

  test('of metrics that cannot be listed is stale, and keeps no client from the other groups', async () => {
    let isBroken = true;
    const list: Registry['list'] = (resource, options) =>
      isBroken && resource === 'pods' ? Promise.reject(new Error('no answer')) : api.registry.list(resource, options);
    const broken = await startApi({ registry: { ...api.registry, list } });
    const freshness = async () => {
      const { code, body } = await broken.call('GET', '/apis', undefined, { accept: AGGREGATED });
      const items = body.items as { metadata: { name: string }; versions: { freshness: string }[] }[];
      const of = (group: string) => items.find(({ metadata }) => metadata.name === group)?.versions[0]?.freshness;
      return [code, of('custom.metrics.k8s.io'), of('external.metrics.k8s.io'), of('apps')];
    };
    expect(await freshness()).toEqual([200, 'Stale', 'Current', 'Current']);
    expect(broken.errors).toHaveLength(1);
    isBroken = false;
    expect(await freshness()).toEqual([200, 'Current', 'Current', 'Current']);
  });
});
