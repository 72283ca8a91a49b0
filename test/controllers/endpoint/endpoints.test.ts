import { beforeEach, describe, expect, test } from 'vitest';
import { createEndpointController } from '../../../lambdas/controllers/endpoint/createEndpointController.ts';
import { ServicesOfPods } from '../../../lambdas/controllers/endpoint/ServicesOfPods.ts';
import { createEndpointSliceController } from '../../../lambdas/controllers/endpointslice/createEndpointSliceController.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

type Members = Record<string, unknown>;

const SLICES = 'endpointslices.discovery.k8s.io';
const LABELS = { app: 'web' };

let bench: ControllerBench;
let lists: string[];
beforeEach(async () => {
  bench = new ControllerBench();
  lists = [];
  const objectStore = bench.objectStore;
  const services = new ServicesOfPods({
    get: (key) => objectStore.get(key),
    list: (resource, options) => {
      lists.push(resource);
      return objectStore.list(resource, options);
    },
  });
  bench.add(createEndpointController({ services }));
  bench.add(createEndpointSliceController({ services }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

function createService(spec: Members = {}, metadata: Members = {}) {
  const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
  return bench.create('services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { selector: LABELS, ports, ...spec },
  });
}

async function createPod(name: string, status: Members = {}, more: { labels?: Members; spec?: Members } = {}) {
  const containers = [{ name: 'web', image: 'nginx:1', ports: [{ name: 'web', containerPort: 8080 }] }];
  const pod = await bench.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: LABELS, ...more.labels },
    spec: { containers, nodeName: 'node-1', ...more.spec },
  });
  return setStatus(pod, status);
}

async function setStatus(pod: KubernetesObject, status: Members): Promise<KubernetesObject> {
  const outcome = await bench.registry.update('pods', { ...pod, status }, { subresource: 'status' });
  if (outcome.status === 'refused') throw outcome.error;
  return outcome.object;
}

function running(ip: string, ready = true): Members {
  return {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
  };
}

/** The addresses of the Endpoints, as `ready | not ready : ports`. */
async function subsets(name = 'web'): Promise<string[] | undefined> {
  const endpoints = await bench.get('endpoints', 'default', name);
  const list = endpoints?.['subsets'] as
    | { addresses?: { ip: string }[]; notReadyAddresses?: { ip: string }[]; ports?: { port: number }[] }[]
    | undefined;
  const ips = (addresses: { ip: string }[] = []) => addresses.map(({ ip }) => ip).join();
  return (
    endpoints &&
    (list ?? []).map(
      ({ addresses, notReadyAddresses, ports = [] }) =>
        `${ips(addresses)}|${ips(notReadyAddresses)}:${ports.map(({ port }) => port).join()}`,
    )
  );
}

interface Slice extends KubernetesObject {
  endpoints: { addresses: string[]; conditions: object }[];
  ports: { port: number }[];
}

async function slices(): Promise<readonly Slice[]> {
  return (await bench.objectStore.list<Slice>(SLICES)).items;
}

async function sliceAddresses(): Promise<string[][]> {
  return (await slices()).map(({ endpoints }) => endpoints.flatMap(({ addresses }) => addresses));
}

describe('the endpoints of a service', () => {
  test('follow the pods that it selects', async () => {
    await createService();
    await bench.settle();
    expect([await subsets(), await sliceAddresses()]).toEqual([[], [[]]]);
    await createPod('web-1', running('10.0.0.1'));
    const second = await createPod('web-2', running('10.0.0.2', false));
    await createPod('other', running('10.0.0.9'), { labels: { labels: { app: 'other' } } });
    await bench.settle();
    expect(await subsets()).toEqual(['10.0.0.1|10.0.0.2:8080']);
    expect((await slices()).map(({ endpoints }) => endpoints.map(({ conditions }) => conditions))).toEqual([
      [
        { ready: true, serving: true, terminating: false },
        { ready: false, serving: false, terminating: false },
      ],
    ]);
    await setStatus((await bench.get('pods', 'default', second.metadata.name)) ?? second, running('10.0.0.2'));
    await bench.settle();
    expect(await subsets()).toEqual(['10.0.0.1,10.0.0.2|:8080']);
  });

  test('have the names and the marks by which clients find them', async () => {
    await createService({ clusterIP: 'None' }, { labels: { tier: 'front' } });
    await createPod('web-1', running('10.0.0.1'), { spec: { hostname: 'one', subdomain: 'web' } });
    await bench.settle();
    const endpoints = await bench.get('endpoints', 'default', 'web');
    expect(endpoints?.metadata.labels).toEqual({
      tier: 'front',
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
      'service.kubernetes.io/headless': '',
    });
    const [slice] = await slices();
    expect(slice?.metadata).toMatchObject({
      generateName: 'web-',
      labels: {
        tier: 'front',
        'kubernetes.io/service-name': 'web',
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        'service.kubernetes.io/headless': '',
      },
      ownerReferences: [{ kind: 'Service', name: 'web', controller: true, blockOwnerDeletion: true }],
    });
    expect(slice).toMatchObject({
      addressType: 'IPv4',
      endpoints: [
        { hostname: 'one', nodeName: 'node-1', targetRef: { kind: 'Pod', name: 'web-1', namespace: 'default' } },
      ],
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    });
  });

  test('group pods by the numbers that they give a port', async () => {
    await createService();
    const ports = [{ name: 'web', containerPort: 9090 }];
    await createPod('web-1', running('10.0.0.1'));
    await createPod('web-2', running('10.0.0.2'), { spec: { containers: [{ name: 'web', image: 'nginx:1', ports }] } });
    await bench.settle();
    expect(await subsets()).toEqual(['10.0.0.1|:8080', '10.0.0.2|:9090']);
    expect((await sliceAddresses()).flat().toSorted()).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  test('show pods that are not ready as ready if the service asks for it', async () => {
    await createService({ publishNotReadyAddresses: true });
    await createPod('web-1', running('10.0.0.1', false));
    await bench.settle();
    expect(await subsets()).toEqual(['10.0.0.1|:8080']);
    expect((await slices())[0]?.endpoints[0]?.conditions).toEqual({ ready: true, serving: false, terminating: false });
  });

  test('lose a pod that is being deleted; only its slice still shows that it serves', async () => {
    await createService();
    await createPod('web-1', running('10.0.0.1'));
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web-1' });
    await bench.settle();
    expect(await subsets()).toEqual([]);
    expect((await slices())[0]?.endpoints[0]?.conditions).toEqual({ ready: false, serving: true, terminating: true });
    await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web-1' }, { gracePeriodSeconds: 0 });
    await bench.settle();
    expect(await sliceAddresses()).toEqual([[]]);
  });

  test('lose a pod whose labels change, and gain it when the selector does', async () => {
    await createService();
    const pod = await createPod('web-1', running('10.0.0.1'));
    await bench.settle();
    await bench.registry.update('pods', { ...pod, metadata: { ...pod.metadata, labels: { app: 'db' } } });
    await bench.settle();
    expect([await subsets(), await sliceAddresses()]).toEqual([[], [[]]]);
    const service = await bench.get('services', 'default', 'web');
    if (!service) throw new Error('the service is gone');
    await bench.registry.update('services', {
      ...service,
      spec: { ...(service['spec'] as Members), selector: { app: 'db' } },
    });
    await bench.settle();
    expect([await subsets(), await sliceAddresses()]).toEqual([['10.0.0.1|:8080'], [['10.0.0.1']]]);
  });

  test('of a headless service need no ports', async () => {
    await createService({ clusterIP: 'None', ports: [] });
    await createPod('web-1', running('10.0.0.1'));
    await bench.settle();
    expect(await subsets()).toEqual(['10.0.0.1|:']);
    expect((await slices())[0]?.ports).toEqual([]);
  });

  test('come back when somebody deletes them', async () => {
    await createService();
    await createPod('web-1', running('10.0.0.1'));
    await bench.settle();
    const [slice] = await slices();
    await bench.registry.delete({ resource: 'endpoints', namespace: 'default', name: 'web' });
    await bench.registry.delete({ resource: SLICES, namespace: 'default', name: slice?.metadata.name ?? '' });
    await bench.settle();
    expect([await subsets(), await sliceAddresses()]).toEqual([['10.0.0.1|:8080'], [['10.0.0.1']]]);
  });

  test('go with their service; slices are left to the garbage collector', async () => {
    await createService();
    await bench.settle();
    await bench.registry.delete({ resource: 'services', namespace: 'default', name: 'web' });
    await bench.settle();
    expect(await subsets()).toBeUndefined();
  });

  test('of a service without a selector are left alone', async () => {
    await createService({ selector: {} });
    await createService({ type: 'ExternalName', externalName: 'example.com' }, { name: 'alias' });
    await bench.settle();
    expect([await bench.names('endpoints'), await bench.names(SLICES)]).toEqual([[], []]);
  });
});

test('a hundred endpoints fill a slice, and stay in it', async () => {
  await createService();
  for (let index = 0; index < 101; index++) await createPod(`web-${index}`, running(`10.0.1.${index}`));
  await bench.settle();
  const sizes = (await sliceAddresses()).map(({ length }) => length).toSorted((a, b) => a - b);
  expect(sizes).toEqual([1, 100]);
  const names = (await bench.names(SLICES)).toSorted();
  await bench.registry.delete({ resource: 'pods', namespace: 'default', name: 'web-5' }, { gracePeriodSeconds: 0 });
  await bench.settle();
  expect((await bench.names(SLICES)).toSorted()).toEqual(names);
  expect((await sliceAddresses()).flat()).toHaveLength(100);
});

test('a pod that no endpoints can show costs no read, and others share one', async () => {
  await createPod('pending');
  await bench.settle();
  expect(lists).toEqual([]);
  await createPod('web-1', running('10.0.0.1'));
  await bench.settle();
  expect(new Set(lists)).toEqual(new Set(['services']));
});
