import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, configMap, deployment, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** The status of a node with an address. */
const FAR = { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] };

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

describe('writing and reading', () => {
  test('a created object is answered with 201 and can be read', async () => {
    const created = await api.call('POST', CONFIG_MAPS, configMap('one', { data: { a: '1' } }));
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } });
    expect(created.body.metadata).toMatchObject({ name: 'one', namespace: 'default' });
    const read = await api.call('GET', `${CONFIG_MAPS}/one`);
    expect(read.body).toEqual(created.body);
  });

  test('a client cannot choose a UID', async () => {
    const { body } = await api.call('POST', CONFIG_MAPS, configMap('one', { metadata: { name: 'one', uid: 'mine' } }));
    expect(body.metadata.uid).not.toBe('mine');
  });

  test('generateName generates distinct names', async () => {
    const object = configMap('', { metadata: { generateName: 'web-' } });
    const first = await api.call('POST', CONFIG_MAPS, object);
    const second = await api.call('POST', CONFIG_MAPS, object);
    expect(first.body.metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
    expect(second.body.metadata.name).not.toBe(first.body.metadata.name);
  });

  test('dryRun=All answers like a create and stores nothing', async () => {
    const dry = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('one'));
    expect(dry.code).toBe(201);
    // `kubectl diff` would show an empty resourceVersion as a difference.
    expect(dry.body.metadata).not.toHaveProperty('resourceVersion');
    expect((await api.call('GET', `${CONFIG_MAPS}/one`)).code).toBe(404);
  });

  test('a PUT with a stale resourceVersion is a conflict, and a PUT without one overwrites', async () => {
    const { body } = await api.call('POST', CONFIG_MAPS, configMap('one'));
    await api.call('PUT', `${CONFIG_MAPS}/one`, { ...body, data: { a: '1' } });
    const stale = await api.call('PUT', `${CONFIG_MAPS}/one`, { ...body, data: { a: '2' } });
    expect(stale.code).toBe(409);
    expect(stale.body.reason).toBe('Conflict');
    const blind = await api.call('PUT', `${CONFIG_MAPS}/one`, configMap('one', { data: { a: '3' } }));
    expect(blind.body.data).toEqual({ a: '3' });
  });

  test('an unknown field causes a warning by default, an error if Strict, and nothing if Ignore', async () => {
    const object = configMap('one', { dta: {} });
    const warned = await api.call('POST', `${CONFIG_MAPS}?dryRun=All`, object);
    expect(warned.headers.get('warning')).toBe('299 - "unknown field \\"dta\\""');
    const ignored = await api.call('POST', `${CONFIG_MAPS}?dryRun=All&fieldValidation=Ignore`, object);
    expect(ignored.headers.get('warning')).toBeNull();
    const strict = await api.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, object);
    expect(strict.code).toBe(400);
    expect(strict.body.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dta"',
    );
  });

  test('a client can send and receive YAML', async () => {
    const yaml = { 'content-type': 'application/yaml', accept: 'application/yaml' };
    const answer = await api.call('POST', CONFIG_MAPS, 'metadata:\n  name: one\ndata: {a: "1"}\n', yaml);
    expect(answer.code).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(answer.body).toContain('name: one');
  });

  test('a long answer in YAML is the JSON text, which is YAML too and takes no time to write', async () => {
    const object = configMap('one', { data: { a: 'x'.repeat(110_000) } });
    const answer = await api.call('POST', CONFIG_MAPS, object, { accept: 'application/yaml' });
    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(JSON.parse(answer.body)).toMatchObject(object);
  });
});

describe('patching', () => {
  const types = {
    'application/merge-patch+json': { spec: { replicas: 3 } },
    'application/strategic-merge-patch+json': { spec: { replicas: 3 } },
    'application/json-patch+json': [{ op: 'replace', path: '/spec/replicas', value: 3 }],
  };
  test.each(Object.entries(types))('%s changes the fields that it names', async (type, patch) => {
    await api.call('POST', DEPLOYMENTS, deployment('web'));
    const { code, body } = await api.call('PATCH', `${DEPLOYMENTS}/web`, patch, { 'content-type': type });
    expect([code, body.spec?.replicas, body.metadata?.generation]).toEqual([200, 3, 2]);
  });

  test('a patch that changes nothing keeps the resourceVersion', async () => {
    const { body } = await api.call('POST', DEPLOYMENTS, deployment('web'));
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patched = await api.call('PATCH', `${DEPLOYMENTS}/web`, { spec: { replicas: 1 } }, headers);
    expect(patched.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('a patch with an old resourceVersion is a conflict', async () => {
    const { body } = await api.call('POST', DEPLOYMENTS, deployment('web'));
    const headers = { 'content-type': 'application/merge-patch+json' };
    await api.call('PATCH', `${DEPLOYMENTS}/web`, { spec: { replicas: 2 } }, headers);
    const pinned = { metadata: { resourceVersion: body.metadata.resourceVersion }, spec: { replicas: 5 } };
    expect((await api.call('PATCH', `${DEPLOYMENTS}/web`, pinned, headers)).code).toBe(409);
  });

  test('concurrent patches of one object all take effect', async () => {
    await api.call('POST', CONFIG_MAPS, configMap('one'));
    const headers = { 'content-type': 'application/merge-patch+json' };
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map((key) => api.call('PATCH', `${CONFIG_MAPS}/one`, { data: { [key]: key } }, headers)));
    const { body } = await api.call('GET', `${CONFIG_MAPS}/one`);
    expect(Object.keys(body.data).sort()).toEqual(keys);
  });
});

describe('subresources', () => {
  test('a write to the status changes the status only', async () => {
    const { body } = await api.call('POST', DEPLOYMENTS, deployment('web'));
    const changed = { ...body, spec: { ...body.spec, replicas: 9 }, status: { replicas: 4 } };
    const { body: status } = await api.call('PUT', `${DEPLOYMENTS}/web/status`, changed);
    expect([status.spec.replicas, status.status.replicas]).toEqual([1, 4]);
  });

  test('a Scale can be read, replaced and patched', async () => {
    await api.call('POST', DEPLOYMENTS, deployment('web'));
    const { body: scale } = await api.call('GET', `${DEPLOYMENTS}/web/scale`);
    expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 1 } });
    expect(scale.status.selector).toBe('app=web');
    const replaced = await api.call('PUT', `${DEPLOYMENTS}/web/scale`, { ...scale, spec: { replicas: 4 } });
    expect(replaced.body.spec.replicas).toBe(4);
    const stale = await api.call('PUT', `${DEPLOYMENTS}/web/scale`, { ...scale, spec: { replicas: 5 } });
    expect(stale.code).toBe(409);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patched = await api.call('PATCH', `${DEPLOYMENTS}/web/scale`, { spec: { replicas: 0 } }, headers);
    expect(patched.body.spec).toEqual({});
    const negative = await api.call('PATCH', `${DEPLOYMENTS}/web/scale`, { spec: { replicas: -1 } }, headers);
    expect([negative.code, negative.body.details.causes[0].field]).toEqual([422, 'spec.replicas']);
  });

  test('a table of a Scale has its own columns', async () => {
    await api.call('POST', DEPLOYMENTS, deployment('web', 3));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { body } = await api.call('GET', `${DEPLOYMENTS}/web/scale`, undefined, { accept });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(body.rows[0].cells).toEqual(['web', 3, 0, '0s']);
  });

  describe('a pod on a simulated node', () => {
    beforeEach(async () => {
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: { providerID: 'driftless://n' } };
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
      expect((await api.call('POST', '/api/v1/nodes', node)).code).toBe(201);
      expect((await api.call('POST', '/api/v1/namespaces/default/pods', pod)).code).toBe(201);
    });

    test.each(['exec', 'attach', 'portforward', 'proxy'])('has nothing behind the subresource %s', async (name) => {
      const { code, body } = await api.call('GET', `/api/v1/namespaces/default/pods/p/${name}`);
      expect([code, body.reason]).toEqual([400, 'BadRequest']);
      expect(body.message).toContain('simulated pods');
    });

    test('has no log before its containers have a status', async () => {
      const { code, body } = await api.call('GET', '/api/v1/namespaces/default/pods/p/log');
      expect([code, body.reason]).toEqual([400, 'BadRequest']);
      expect(body.message).toBe('container "c" in pod "p" is not available');
    });
  });

  test.each(['exec', 'attach', 'portforward'])('a pod without a node has nothing behind %s', async (name) => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await api.call('POST', '/api/v1/namespaces/default/pods', { kind: 'Pod', metadata: { name: 'p' }, spec });
    const { code, body } = await api.call('GET', `/api/v1/namespaces/default/pods/p/${name}`);
    expect([code, body.message]).toEqual([400, 'pod p does not have a host assigned']);
    expect((await api.call('GET', '/api/v1/namespaces/default/pods/p/log')).code).toBe(204);
  });

  test('a pod on a node with a kubelet cannot be reached by a host that is in no network with it', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'far' }, status: FAR };
    const spec = { nodeName: 'far', containers: [{ name: 'c', image: 'i' }] };
    await api.call('POST', '/api/v1/nodes', node);
    await api.call('POST', '/api/v1/namespaces/default/pods', { kind: 'Pod', metadata: { name: 'p' }, spec });
    const { code, body } = await api.call('GET', '/api/v1/namespaces/default/pods/p/log');
    expect([code, body.reason]).toEqual([501, 'NotImplemented']);
    expect(body.message).toContain('this API server reaches no kubelets');
  });

  test('an eviction deletes the pod', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    await api.call('POST', '/api/v1/namespaces/default/pods', pod);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
    const { code, body } = await api.call('POST', '/api/v1/namespaces/default/pods/p/eviction', eviction);
    expect([code, body.status]).toEqual([201, 'Success']);
    expect((await api.call('GET', '/api/v1/namespaces/default/pods/p')).code).toBe(404);
  });

  test('an eviction with dryRun=All in the query evicts no pod', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await api.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
    const path = '/api/v1/namespaces/default/pods/p/eviction';
    expect((await api.call('POST', `${path}?dryRun=All`, { metadata: { name: 'p' } })).code).toBe(201);
    expect((await api.call('POST', `${path}?dryRun=Some`, { metadata: { name: 'p' } })).code).toBe(422);
    const wrong = { metadata: { name: 'p' }, deleteOptions: { propagationPolicy: 'Never' } };
    expect((await api.call('POST', path, wrong)).code).toBe(422);
    expect((await api.call('GET', '/api/v1/namespaces/default/pods/p')).code).toBe(200);
  });

  test('without authorization, an access review says that everything is allowed', async () => {
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    };
    const { code, body } = await api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
    expect([code, body.status.allowed]).toEqual([201, true]);
  });
});

describe('deleting', () => {
  test('a finished deletion is answered with a Status, and one that waits for a finalizer with the object', async () => {
    const { body } = await api.call('POST', CONFIG_MAPS, configMap('one'));
    const gone = await api.call('DELETE', `${CONFIG_MAPS}/one`);
    expect(gone.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'one', kind: 'configmaps', uid: body.metadata.uid },
    });
    await api.call(
      'POST',
      CONFIG_MAPS,
      configMap('two', { metadata: { name: 'two', finalizers: ['example.com/wait'] } }),
    );
    const waits = await api.call('DELETE', `${CONFIG_MAPS}/two`);
    expect(waits.body.metadata.deletionTimestamp).toBeDefined();
  });

  test('preconditions and policies are read from the body and from the query', async () => {
    await api.call('POST', CONFIG_MAPS, configMap('one'));
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'other' } };
    expect((await api.call('DELETE', `${CONFIG_MAPS}/one`, options)).code).toBe(409);
    const wrong = await api.call('DELETE', `${CONFIG_MAPS}/one?propagationPolicy=Never`);
    expect([wrong.code, wrong.body.details.causes[0].field]).toEqual([422, 'propagationPolicy']);
    const both = await api.call('DELETE', `${CONFIG_MAPS}/one?propagationPolicy=Orphan&orphanDependents=true`);
    expect(both.code).toBe(422);
    expect(
      (await api.call('DELETE', `${CONFIG_MAPS}/one?propagationPolicy=Foreground`)).body.metadata.finalizers,
    ).toEqual(['foregroundDeletion']);
  });

  test.each([
    ['that is no JSON', '{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
    [
      'of another kind',
      { kind: 'Nope', apiVersion: 'v1' },
      'no kind "Nope" is registered for version "v1" in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"',
    ],
    [
      'with a wrong value',
      { gracePeriodSeconds: 'x' },
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
  ])('a body %s gets the words of the decoder only', async (_, options, message) => {
    await api.call('POST', CONFIG_MAPS, configMap('one'));
    const { body } = await api.call('DELETE', `${CONFIG_MAPS}/one`, options);
    expect(body).toMatchObject({ kind: 'Status', status: 'Failure', message, reason: 'BadRequest', code: 400 });
  });

  test.each([
    ['an object', `${CONFIG_MAPS}/one`],
    ['a collection', CONFIG_MAPS],
  ])('options in the body of a deletion of %s replace those of the query, dryRun too', async (_, path) => {
    await api.call('POST', CONFIG_MAPS, configMap('one'));
    const uid = (await api.call('GET', `${CONFIG_MAPS}/one`)).body.metadata.uid;
    for (const [query, body] of [
      ['?dryRun=All', undefined],
      ['?dryRun=All', { dryRun: ['All'] }],
      ['', { dryRun: ['All'] }],
    ] as const) {
      expect((await api.call('DELETE', path + query, body)).code).toBe(200);
      expect((await api.call('GET', `${CONFIG_MAPS}/one`)).body.metadata.uid).toBe(uid);
    }
    expect((await api.call('DELETE', `${path}?dryRun=All`, { propagationPolicy: 'Background' })).code).toBe(200);
    expect((await api.call('GET', `${CONFIG_MAPS}/one`)).code).toBe(404);
  });

  test('deletecollection deletes the objects that its selectors select', async () => {
    for (const name of ['a', 'b', 'c']) {
      await api.call(
        'POST',
        CONFIG_MAPS,
        configMap(name, { metadata: { name, labels: { keep: String(name === 'b') } } }),
      );
    }
    const { body } = await api.call('DELETE', `${CONFIG_MAPS}?labelSelector=keep%3Dfalse`);
    expect(body.kind).toBe('ConfigMapList');
    const left = await api.call('GET', CONFIG_MAPS);
    expect(left.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['b']);
  });
});

describe('a long request', () => {
  test('a request creates nothing after its deadline, but finishes deleting a large collection', async () => {
    const { registry, clock } = api;
    const slow: typeof registry = {
      ...registry,
      delete: async (key, options) => {
        clock.advanceBy(600);
        return await registry.delete(key, options);
      },
    };
    const limited = await startApi({ registry: slow, changeLog: api.changeLog, clock, requestLifetimeMs: 1000 });
    for (const name of ['a', 'b', 'c']) await limited.call('POST', CONFIG_MAPS, configMap(name));
    expect((await limited.call('DELETE', CONFIG_MAPS)).code).toBe(200);
    expect((await limited.call('GET', CONFIG_MAPS)).body.items).toEqual([]);
    const late = await startApi({ requestLifetimeMs: 0 });
    expect((await late.call('POST', CONFIG_MAPS, configMap('a'))).body).toMatchObject({ code: 504, reason: 'Timeout' });
  });
});

describe('metadata that Kubernetes overlooks', () => {
  const namespace = (metadata: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata });

  test('a namespace on a cluster-scoped object is cleared by POST, PUT and PATCH', async () => {
    const created = await api.call('POST', '/api/v1/namespaces', namespace({ name: 'one', namespace: 'other' }));
    expect([created.code, created.body.metadata.namespace]).toEqual([201, undefined]);
    const labels = { put: 'yes' };
    const put = await api.call(
      'PUT',
      '/api/v1/namespaces/one',
      namespace({ name: 'one', namespace: 'other', labels, resourceVersion: created.body.metadata.resourceVersion }),
    );
    expect([put.code, put.body.metadata.namespace]).toEqual([200, undefined]);
    expect(put.body.metadata.labels).toMatchObject(labels);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await api.call('PATCH', '/api/v1/namespaces/one', { metadata: { namespace: 'other' } }, merge);
    expect([patched.code, patched.body.metadata.namespace]).toEqual([200, undefined]);
  });

  test.each(['0', '00', '', 'latest'])('a POST with resourceVersion %j creates', async (resourceVersion) => {
    const metadata = { name: 'one', resourceVersion };
    expect((await api.call('POST', CONFIG_MAPS, configMap('', { metadata }))).code).toBe(201);
  });
});
