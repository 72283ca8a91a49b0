import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const POD = '/api/v1/namespaces/default/pods/web';
const MERGE = { 'content-type': 'application/strategic-merge-patch+json' };
const SIZE = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m' } };

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

function createPod(spec: Members = {}, metadata: Members = {}) {
  const containers = [{ name: 'web', image: 'nginx:1', resources: SIZE }];
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata }, spec: { containers, ...spec } };
  return api.call('POST', POD.slice(0, -4), body);
}

const patch = (subresource: string, spec: Members) => api.call('PATCH', `${POD}/${subresource}`, { spec }, MERGE);
const debug = (...ephemeralContainers: Members[]) => patch('ephemeralcontainers', { ephemeralContainers });
const resize = (resources: Members, more: Members = {}) =>
  patch('resize', { containers: [{ name: 'web', resources, ...more }] });
const fieldsOf = (body: { metadata: { managedFields: { subresource?: string; fieldsV1: unknown }[] } }, part: string) =>
  body.metadata.managedFields.find(({ subresource }) => subresource === part)?.fieldsV1;

describe('pods/ephemeralcontainers', () => {
  const debugger1 = { name: 'debugger', image: 'busybox:1' };

  test('adds containers, with their defaults, and changes nothing else', async () => {
    await createPod();
    const { code, body } = await patch('ephemeralcontainers', {
      ephemeralContainers: [debugger1],
      containers: [{ name: 'web', image: 'nginx:2' }],
    });
    expect(code).toBe(200);
    expect(body.spec.ephemeralContainers).toMatchObject([{ ...debugger1, imagePullPolicy: 'IfNotPresent' }]);
    expect(body.spec.containers[0].image).toBe('nginx:1');
    expect(body.metadata.generation).toBe(2);
    expect((await api.call('GET', `${POD}/ephemeralcontainers`)).body).toEqual(body);
  });

  test('keeps the labels, and its owner owns nothing else', async () => {
    await createPod({}, { labels: { app: 'web' } });
    const { body: pod } = await api.call('GET', `${POD}/ephemeralcontainers`);
    const metadata = { ...pod.metadata, labels: { app: 'other' } };
    const spec = { ...pod.spec, ephemeralContainers: [debugger1] };
    const { body } = await api.call('PUT', `${POD}/ephemeralcontainers`, { ...pod, metadata, spec });
    expect(body.metadata.labels).toEqual({ app: 'web' });
    expect(Object.keys(fieldsOf(body, 'ephemeralcontainers') as Members)).toEqual(['f:spec']);
  });

  test.each<[string, Members[], string]>([
    ['removed', [], 'existing ephemeral containers "debugger" may not be removed'],
    ['changed', [{ ...debugger1, image: 'busybox:2' }], 'existing ephemeral containers "debugger" may not be changed'],
  ])('refuses a container that is %s', async (_, containers, message) => {
    await createPod();
    const { body: pod } = await debug(debugger1);
    const spec = { ...pod.spec, ephemeralContainers: containers };
    const { code, body } = await api.call('PUT', `${POD}/ephemeralcontainers`, { ...pod, spec });
    expect([code, body.message.trimEnd()]).toEqual([
      422,
      `Pod "web" is invalid: spec.ephemeralContainers: Forbidden: ${message}`,
    ]);
  });

  test('refuses the name of another container, and static pods', async () => {
    await createPod();
    expect((await debug({ ...debugger1, name: 'web' })).body.message).toBe(
      'Pod "web" is invalid: spec.ephemeralContainers[0].name: Duplicate value: "web"',
    );
    await api.call('DELETE', POD);
    await createPod({ nodeName: 'node-1' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
    expect((await debug(debugger1)).body.message).toBe(
      'Pod "web" is invalid: []: Forbidden: static pods do not support ephemeral containers',
    );
  });

  test('has no other verbs', async () => {
    await createPod();
    expect((await api.call('DELETE', `${POD}/ephemeralcontainers`)).code).toBe(405);
  });
});

describe('pods/resize', () => {
  test('changes CPU and memory, and nothing else', async () => {
    await createPod();
    const resources = { requests: { cpu: '150m', memory: '64Mi' }, limits: { cpu: '300m' } };
    const { code, body } = await resize({ requests: { cpu: '150m' }, limits: { cpu: '300m' } }, { image: 'nginx:2' });
    expect(code).toBe(200);
    expect(body.spec.containers).toMatchObject([{ name: 'web', image: 'nginx:1', resources }]);
    expect(body.metadata.generation).toBe(2);
  });

  test('by an apply gives the manager the resources and nothing else', async () => {
    await createPod();
    const containers = [{ name: 'web', resources: { requests: { cpu: '150m' } } }];
    const config = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers } };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const { body } = await api.call('PATCH', `${POD}/resize?fieldManager=vpa&force=true`, config, headers);
    expect(fieldsOf(body, 'resize')).toEqual({
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:resources': { 'f:requests': { 'f:cpu': {} } } } } },
    });
    expect(body.spec.containers[0].resources.requests).toEqual({ cpu: '150m', memory: '64Mi' });
  });

  test('refuses another QoS class', async () => {
    await createPod();
    const { code, body } = await resize({ requests: { cpu: '200m' }, limits: { memory: '64Mi' } });
    expect([code, body.message]).toEqual([
      422,
      'Pod "web" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ]);
  });

  const only = 'spec: Forbidden: only cpu and memory resources are mutable';
  test.each<[string, Members, string]>([
    [
      'another resource',
      { containers: [{ name: 'web', resources: { requests: { 'ephemeral-storage': '1Gi' } } }] },
      only,
    ],
    [
      'a request that is taken away',
      { containers: [{ name: 'web', resources: { requests: { memory: null } } }] },
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ],
    [
      'a limit that is taken away',
      { containers: [{ name: 'web', resources: { limits: { cpu: null } } }] },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ],
    [
      'a container more',
      { containers: [{ name: 'two', image: 'nginx:1' }] },
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    ],
    [
      'a request above its limit',
      { containers: [{ name: 'web', resources: { requests: { cpu: '1' } } }] },
      'spec.containers[0].resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 200m',
    ],
    [
      'an init container that would have to run again',
      { initContainers: [{ name: 'init', resources: { requests: { cpu: '2' } } }] },
      'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
    ],
  ])('refuses %s', async (_, spec, message) => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
    const resources = { requests: { cpu: '1' } };
    await createPod({ initContainers: [{ name: 'init', image: 'busybox:1', resources, resizePolicy }] });
    const { code, body } = await patch('resize', spec);
    expect([code, body.message]).toEqual([422, `Pod "web" is invalid: ${message}`]);
  });
});

test('discovery lists the subresources of pods', async () => {
  const { body } = await api.call('GET', '/api/v1');
  const listed = (body.resources as { name: string; kind: string; verbs: string[] }[])
    .filter(({ name }) => name.startsWith('pods/') || name === 'bindings')
    .map(({ name, kind, verbs }) => `${name} ${kind} ${verbs.join(',')}`);
  expect(listed).toEqual([
    'bindings Binding create',
    'pods/binding Binding create',
    'pods/ephemeralcontainers Pod get,patch,update',
    'pods/eviction Eviction create',
    'pods/resize Pod get,patch,update',
    'pods/status Pod get,patch,update',
  ]);
});
