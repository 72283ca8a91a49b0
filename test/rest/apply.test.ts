import { beforeEach, describe, expect, test } from 'vitest';
import { serveWidgets } from './serveWidgets.ts';
import { startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

let api: Awaited<ReturnType<typeof startApi>>;
beforeEach(async () => {
  api = await startApi();
});

const configMap = (data?: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...(data && { data }),
});

const deployment = (spec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } },
    ...spec,
  },
});

function apply(path: string, body: unknown, query: string) {
  return api.call('PATCH', `${path}?${query}`, body, { 'content-type': 'application/apply-patch+yaml' });
}

const applyAs = (manager: string, body: unknown, more = '') =>
  apply(`${CONFIG_MAPS}/a`, body, `fieldManager=${manager}${more}`);

/** `one Apply`, with the fields that each entry owns. */
const ownersOf = (body: { metadata: { managedFields?: { manager: string; operation: string; fieldsV1: object }[] } }) =>
  (body.metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]);

describe('server-side apply', () => {
  test('creates an object that is not there, and owns what it says', async () => {
    const { code, body } = await applyAs('one', configMap({ k: 'v' }, { labels: { x: '1' } }));
    expect([code, body.data]).toEqual([201, { k: 'v' }]);
    expect(ownersOf(body)).toEqual([
      ['one Apply', { 'f:data': { 'f:k': {} }, 'f:metadata': { 'f:labels': { 'f:x': {} } } }],
    ]);
  });

  test('the same again changes nothing, not even the time', async () => {
    const first = await applyAs('one', configMap({ k: 'v' }));
    const second = await applyAs('one', configMap({ k: 'v' }));
    expect([second.code, second.body]).toEqual([200, first.body]);
  });

  test('removes what the manager applied before and does not any more, and keeps what others own', async () => {
    await applyAs('one', configMap({ a: '1', b: '2' }));
    await applyAs('two', configMap({ b: '2', c: '3' }));
    const { body } = await applyAs('one', configMap({ d: '4' }));
    expect(body.data).toEqual({ b: '2', c: '3', d: '4' });
  });

  test('a field that another manager applied with another value is a conflict, which names field and manager', async () => {
    await applyAs('one', configMap({ k: '1' }));
    const { code, body } = await applyAs('two', configMap({ k: '2' }));
    expect([code, body.reason]).toEqual([409, 'Conflict']);
    expect(body.message).toBe('Apply failed with 1 conflict: conflict with "one": .data.k');
    expect(body.details).toEqual({
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' }],
    });
  });

  test('several conflicts are listed by manager', async () => {
    await applyAs('one', configMap({ k: '1', l: '1' }));
    const merge = { 'content-type': 'application/merge-patch+json' };
    await api.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=tool`, { metadata: { labels: { m: '1' } } }, merge);
    const { body } = await applyAs('two', configMap({ k: '2', l: '2' }, { labels: { m: '2' } }));
    expect(body.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .data.k\n- .data.l\nconflicts with "tool" using v1:\n- .metadata.labels.m',
    );
  });

  test('the same value of two managers is owned by both', async () => {
    await applyAs('one', configMap({ k: '1' }));
    const { code, body } = await applyAs('two', configMap({ k: '1' }));
    expect([code, ownersOf(body).map(([name]) => name)]).toEqual([200, ['two Apply', 'one Apply']]);
  });

  test('force takes the field', async () => {
    await applyAs('one', configMap({ k: '1', l: '1' }));
    const { code, body } = await applyAs('two', configMap({ k: '2' }), '&force=true');
    expect([code, body.data]).toEqual([200, { k: '2', l: '1' }]);
    expect(ownersOf(body)).toEqual([
      ['one Apply', { 'f:data': { 'f:l': {} } }],
      ['two Apply', { 'f:data': { 'f:k': {} } }],
    ]);
  });

  test('a dry run answers as if, and stores nothing', async () => {
    expect((await applyAs('one', configMap({ k: '1' }), '&dryRun=All')).code).toBe(201);
    expect((await api.call('GET', `${CONFIG_MAPS}/a`)).code).toBe(404);
  });

  test('YAML is read, and a key that comes twice is a warning', async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\n';
    const { body, headers } = await applyAs('one', yaml);
    expect([body.data, headers.get('warning')]).toEqual([{ k: '2' }, expect.stringContaining('already set in map')]);
    expect((await applyAs('one', yaml, '&fieldValidation=Strict')).code).toBe(400);
  });

  test('merges containers by name and replaces commands', async () => {
    const path = `${DEPLOYMENTS}/web`;
    await apply(path, deployment(), 'fieldManager=one');
    const side = { spec: { template: { spec: { containers: [{ name: 's', image: 'side:1', args: ['a', 'b'] }] } } } };
    const { body } = await apply(
      path,
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, ...side },
      'fieldManager=two',
    );
    expect(body.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['c', 's']);
    const [, owner] = ownersOf(body).find(([name]) => name === 'two Apply') ?? [];
    expect(owner).toEqual({
      'f:spec': {
        'f:template': {
          'f:spec': { 'f:containers': { 'k:{"name":"s"}': { '.': {}, 'f:args': {}, 'f:image': {}, 'f:name': {} } } },
        },
      },
    });
  });

  test('applies a status, which is owned apart', async () => {
    await apply(`${DEPLOYMENTS}/web`, deployment(), 'fieldManager=one');
    const status = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      status: { replicas: 1 },
      spec: { replicas: 9 },
    };
    const { body } = await apply(`${DEPLOYMENTS}/web/status`, status, 'fieldManager=ctl');
    expect([body.spec.replicas, body.status]).toEqual([1, { replicas: 1 }]);
    expect(body.metadata.managedFields[0]).toMatchObject({
      manager: 'ctl',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:replicas': {} } },
    });
  });

  test('applies a scale: replicas that another manager applied are a conflict, and force takes them', async () => {
    const path = `${DEPLOYMENTS}/web`;
    await apply(path, deployment({ replicas: 2 }), 'fieldManager=one');
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 5 } };
    const refused = await apply(`${path}/scale`, scale, 'fieldManager=hpa');
    expect([refused.code, refused.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    ]);
    const { code, body } = await apply(`${path}/scale`, scale, 'fieldManager=hpa&force=true');
    expect([code, body.kind, body.spec]).toEqual([200, 'Scale', { replicas: 5 }]);
    const owners = (await api.call('GET', path)).body;
    expect(
      owners.metadata.managedFields.map(({ manager, apiVersion, subresource }: Record<string, string>) => [
        manager,
        apiVersion,
        subresource,
      ]),
    ).toEqual([
      ['hpa', 'apps/v1', 'scale'],
      ['one', 'apps/v1', undefined],
    ]);
  });

  test('concurrent applies of several managers all take effect', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(keys.map((key) => applyAs(key, configMap({ [key]: '1' }))));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(3);
    expect(Object.keys((await api.call('GET', `${CONFIG_MAPS}/a`)).body.data).sort()).toEqual(keys);
  });

  test.each([
    ['no manager', 'fieldManager=', configMap(), 422, /fieldManager: Required value: is required for apply patch/],
    ['another kind', 'fieldManager=m', { ...configMap(), kind: 'Pod' }, 400, /invalid object type: \/v1, Kind=Pod/],
    ['no object', 'fieldManager=m', '[]', 400, /cannot unmarshal array into Go value of type map/],
    ['no body', 'fieldManager=m', '', 400, /invalid object type: \/, Kind=/],
    ['no YAML', 'fieldManager=m', 'a: [', 400, /^error decoding YAML: error converting YAML to JSON: yaml: line 1/],
    [
      'another name',
      'fieldManager=m',
      configMap({}, { name: 'b' }),
      400,
      /the name of the object \(b\) does not match/,
    ],
    [
      'managedFields',
      'fieldManager=m',
      configMap({}, { managedFields: [] }),
      400,
      /metadata.managedFields must be nil/,
    ],
    ['a uid', 'fieldManager=m', configMap({}, { uid: 'u' }), 409, /uid mismatch: the provided object specified uid u/],
    [
      'a wrong type',
      'fieldManager=m',
      configMap({ k: 1 }),
      500,
      /^failed to create typed patch object \(\/a; \/v1, Kind=ConfigMap\): .data.k: expected string, got &value.valueUnstructured{Value:1}$/,
    ],
    ['an unknown field', 'fieldManager=m', { ...configMap(), nope: 1 }, 500, /.nope: field not declared in schema$/],
  ])('with %s is refused', async (_, query, body, code, message) => {
    const answer = await apply(`${CONFIG_MAPS}/a`, body, query);
    expect([answer.code, answer.body.message]).toEqual([code, expect.stringMatching(message)]);
  });

  test('only an apply can be forced', async () => {
    const merge = { 'content-type': 'application/merge-patch+json' };
    const { code, body } = await api.call('PATCH', `${CONFIG_MAPS}/a?force=true`, {}, merge);
    expect([code, body.message]).toEqual([
      422,
      expect.stringContaining('force: Forbidden: may not be specified for non-apply patch'),
    ]);
  });
});

describe('managedFields of other writes', () => {
  const merge = { 'content-type': 'application/merge-patch+json' };

  test('a create owns its fields under the name of the User-Agent, and an update those that it changes', async () => {
    const { body } = await api.call('POST', CONFIG_MAPS, configMap({ k: '1', l: '1' }), {
      'user-agent': 'maker/1.0 (x)',
    });
    expect(ownersOf(body)).toEqual([['maker Update', { 'f:data': { '.': {}, 'f:k': {}, 'f:l': {} } }]]);
    const { body: patched } = await api.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=two`, { data: { k: '2' } }, merge);
    expect(ownersOf(patched)).toEqual([
      ['maker Update', { 'f:data': { '.': {}, 'f:l': {} } }],
      ['two Update', { 'f:data': { 'f:k': {} } }],
    ]);
  });

  test('what is removed is owned by nobody', async () => {
    await api.call('POST', `${CONFIG_MAPS}?fieldManager=m`, configMap({ k: '1', l: '1' }));
    const { body } = await api.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=n`, { data: { l: null } }, merge);
    expect(ownersOf(body)).toEqual([['m Update', { 'f:data': { '.': {}, 'f:k': {} } }]]);
  });

  test('a client may send them back, leave them out, or reset them', async () => {
    const { body } = await api.call('POST', `${CONFIG_MAPS}?fieldManager=m`, configMap({ k: '1' }));
    const put = async (managedFields: unknown) => {
      const metadata = { name: 'a', ...(managedFields !== undefined && { managedFields }) };
      return (await api.call('PUT', `${CONFIG_MAPS}/a?fieldManager=m`, { ...configMap({ k: '1' }), metadata })).body;
    };
    expect((await put(body.metadata.managedFields)).metadata).toEqual(body.metadata);
    expect((await put(undefined)).metadata).toEqual(body.metadata);
    expect((await put([{ manager: 'm', operation: 'Steal' }])).metadata).toEqual(body.metadata);
    expect((await put([{}])).metadata).not.toHaveProperty('managedFields');
    const { body: applied } = await applyAs('two', configMap({ k: '1' }));
    expect(ownersOf(applied).map(([name]) => name)).toEqual(['two Apply', 'before-first-apply Update']);
  });
});

test('a definition is applied whose schema holds schemas of items and of further members', async () => {
  const schema = {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      sizes: { type: 'object', additionalProperties: { type: 'integer' } },
      free: { type: 'object', additionalProperties: true },
    },
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.example.com';
  const { code, body } = await apply(path, definition, 'fieldManager=one');
  expect([code, body.spec.versions[0].schema.openAPIV3Schema]).toEqual([201, schema]);
  schema.properties.tags.items.enum.push('c');
  const changed = await apply(path, definition, 'fieldManager=two');
  expect([changed.code, changed.body.message]).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "one": .spec.versions',
  ]);
});

test('an apply to a custom object that its changed definition refuses is refused, and the object keeps its fields', async () => {
  const path = '/apis/example.com/v1/namespaces/default/widgets/a';
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
  const schema = (type: string) => ({ type: 'object', properties: { n: { type }, b: { type: 'boolean' } } });
  await serveWidgets(api, schema('integer'));
  await apply(path, { ...widget, n: 1 }, 'fieldManager=one');
  await serveWidgets(api, schema('string'));
  api.clock.advanceBy(5_000);
  const { code, body } = await apply(path, { ...widget, b: true }, 'fieldManager=two');
  expect([code, body.message]).toEqual([
    500,
    'failed to create typed live object (default/a; example.com/v1, Kind=Widget): .n: expected string, got &value.valueUnstructured{Value:1}',
  ]);
  expect((await api.call('GET', path)).body).toMatchObject({ n: 1 });
});
