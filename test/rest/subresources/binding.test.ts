import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, startApi } from '../startApi.ts';

type Members = Record<string, unknown>;

const PODS = '/api/v1/namespaces/default/pods';
const BINDINGS = '/api/v1/namespaces/default/bindings';
const NODE = { apiVersion: 'v1', kind: 'Node', name: 'node-1' };

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

async function createPod(metadata: Members = {}, spec: Members = {}) {
  const { body } = await api.call('POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx:1' }], ...spec },
  });
  return body;
}

function binding(metadata: Members = {}, target: Members = NODE) {
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'web', ...metadata }, target };
}

const bind = (metadata: Members = {}, target: Members = NODE, query = '') =>
  api.call('POST', `${PODS}/web/binding${query}`, binding(metadata, target));

const web = async () => (await api.call('GET', `${PODS}/web`)).body;

describe('a binding', () => {
  test('gives the pod its node, its annotations and the condition PodScheduled, and answers with a Status', async () => {
    const pod = await createPod({ annotations: { kept: '1', changed: '1' } });
    const { code, body } = await bind({ uid: pod.metadata.uid, annotations: { changed: '2', added: '2' } });
    expect([code, body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ]);
    const bound = await web();
    expect(bound.spec.nodeName).toBe('node-1');
    expect(bound.metadata.annotations).toEqual({ kept: '1', changed: '2', added: '2' });
    expect(bound.status.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]);
    expect(bound.metadata.generation).toBe(pod.metadata.generation);
  });

  test('changes nobody’s ownership of fields', async () => {
    const pod = await createPod();
    await bind({ annotations: { added: '1' } });
    expect((await web()).metadata.managedFields).toEqual(pod.metadata.managedFields);
  });

  test('gives the pod the labels that say where its node is, and none that it has already', async () => {
    const where = { 'topology.kubernetes.io/zone': 'eu-1a', 'topology.kubernetes.io/region': 'eu-1' };
    const labels = { ...where, 'kubernetes.io/hostname': 'node-1' };
    await api.call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels } });
    await createPod({ labels: { app: 'web', 'topology.kubernetes.io/zone': 'old' } });
    await bind({ labels: { 'topology.kubernetes.io/region': 'mine' } });
    expect((await web()).metadata.labels).toEqual({
      app: 'web',
      'topology.kubernetes.io/zone': 'eu-1a',
      'topology.kubernetes.io/region': 'mine',
    });
    const bound = await createPod(
      { name: 'born', labels: { 'topology.kubernetes.io/zone': 'own' } },
      { nodeName: 'node-1' },
    );
    expect(bound.metadata.labels).toEqual({ ...where, 'topology.kubernetes.io/zone': 'own' });
  });

  test('works through the older resource, whose Binding names the pod', async () => {
    await createPod();
    expect((await api.call('POST', BINDINGS, binding())).code).toBe(201);
    expect((await web()).spec.nodeName).toBe('node-1');
    expect((await api.call('GET', BINDINGS)).code).toBe(405);
  });

  test('as a dry run leaves the pod alone', async () => {
    await createPod();
    expect((await bind({}, NODE, '?dryRun=All')).code).toBe(201);
    expect((await web()).spec.nodeName).toBeUndefined();
  });

  test('replaces the condition of a pod that was unschedulable, and what was nominated', async () => {
    await createPod();
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const status = { conditions: [condition], nominatedNodeName: 'node-2' };
    await api.call('PATCH', `${PODS}/web/status`, { status }, headers);
    await bind();
    expect((await web()).status).toMatchObject({ conditions: [{ type: 'PodScheduled', status: 'True' }] });
    expect((await web()).status.nominatedNodeName).toBeUndefined();
  });
});

const CONFLICT = 'Operation cannot be fulfilled on';

describe('a binding is refused', () => {
  const precondition = (why: string) =>
    `${CONFLICT} pods "web": StorageError: invalid object, Code: 4, Key: /registry/pods/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${why}`;

  test.each<[string, Members, Members, number, string]>([
    [
      'for another name than that of the path',
      { name: 'other' },
      NODE,
      400,
      'name in URL does not match name in Binding object',
    ],
    ['without a node', {}, { kind: 'Node' }, 500, 'target.name: Required value'],
    [
      'for a target that is no node',
      {},
      { kind: 'Pod', name: 'node-1' },
      500,
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ],
  ])('%s', async (_, metadata, target, code, message) => {
    await createPod();
    const answer = await bind(metadata, target);
    expect([answer.code, answer.body.message]).toEqual([code, message]);
  });

  test('for another pod of the name, or another version of it', async () => {
    const { metadata } = await createPod();
    const otherUid = await bind({ uid: 'other' });
    expect([otherUid.code, otherUid.body.message]).toEqual([
      409,
      precondition(`UID in precondition: other, UID in object meta: ${metadata.uid}`),
    ]);
    expect((await bind({ resourceVersion: '1' })).body.message).toBe(
      precondition(`ResourceVersion in precondition: 1, ResourceVersion in object meta: ${metadata.resourceVersion}`),
    );
    expect((await bind({ resourceVersion: metadata.resourceVersion })).code).toBe(201);
  });

  test('for a pod that has a node, is being deleted, waits for its gates, or does not exist', async () => {
    expect((await bind()).body.message).toBe('pods "web" not found');
    await createPod({}, { schedulingGates: [{ name: 'example.com/wait' }] });
    expect((await bind()).body.message).toBe(
      `${CONFLICT} pods/binding "web": pod web has non-empty .spec.schedulingGates`,
    );
    await api.call('DELETE', `${PODS}/web`);
    await createPod({ finalizers: ['example.com/hold'] });
    await bind();
    const again = await bind({}, { name: 'node-2' });
    expect([again.code, again.body.message]).toEqual([
      409,
      `${CONFLICT} pods/binding "web": pod web is already assigned to node "node-1"`,
    ]);
    await api.call('DELETE', `${PODS}/web`);
    expect((await bind()).body.message).toBe(
      `${CONFLICT} pods/binding "web": pod web is being deleted, cannot be assigned to a host`,
    );
  });

  test('with another method', async () => {
    await createPod();
    expect((await api.call('GET', `${PODS}/web/binding`)).code).toBe(405);
  });
});
