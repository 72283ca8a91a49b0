import { Registry as MetricsRegistry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, configMap, deployment, startApi } from './startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

let api: Api;
beforeEach(async () => {
  api = await startApi();
});

describe('bad requests', () => {
  const object = configMap('one');
  const cases: readonly [
    string,
    string,
    string,
    unknown,
    Record<string, string>,
    number,
    string | undefined,
    string?,
  ][] = [
    ['a body that is not JSON', 'POST', CONFIG_MAPS, '{', {}, 400, 'BadRequest'],
    ['an empty body', 'POST', CONFIG_MAPS, '', {}, 400, 'BadRequest'],
    ['another kind', 'POST', CONFIG_MAPS, { ...object, kind: 'Secret' }, {}, 400, 'BadRequest'],
    ['another version', 'POST', DEPLOYMENTS, { ...deployment('a'), apiVersion: 'v1' }, {}, 400, 'BadRequest'],
    [
      'another namespace',
      'POST',
      CONFIG_MAPS,
      configMap('', { metadata: { name: 'a', namespace: 'other' } }),
      {},
      400,
      'BadRequest',
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another name',
      'PUT',
      `${CONFIG_MAPS}/b`,
      object,
      {},
      400,
      'BadRequest',
      'the name of the object (one) does not match the name on the URL (b)',
    ],
    [
      'a version on create',
      'POST',
      CONFIG_MAPS,
      configMap('', { metadata: { name: 'a', resourceVersion: '1' } }),
      {},
      500,
      undefined,
      'resourceVersion should not be set on objects to be created',
    ],
    ['an invalid object', 'POST', CONFIG_MAPS, configMap('A_B'), {}, 422, 'Invalid'],
    ['a wrong content type', 'POST', CONFIG_MAPS, 'x', { 'content-type': 'text/plain' }, 415, 'UnsupportedMediaType'],
    [
      'a media type that cannot be served',
      'GET',
      CONFIG_MAPS,
      undefined,
      { accept: 'application/vnd.kubernetes.protobuf' },
      406,
      'NotAcceptable',
    ],
    [
      'a create whose answer cannot be served',
      'POST',
      CONFIG_MAPS,
      configMap('unseen'),
      { accept: 'text/html' },
      406,
      'NotAcceptable',
      '406: Not Acceptable',
    ],
    [
      'the scale of an absent object',
      'GET',
      `${DEPLOYMENTS}/no/scale`,
      undefined,
      {},
      404,
      'NotFound',
      'deployments/scale.apps "no" not found',
    ],
    [
      'an empty dry run',
      'POST',
      `${CONFIG_MAPS}?dryRun=`,
      configMap('a'),
      {},
      422,
      'Invalid',
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
    ],
    ['an absent object', 'GET', `${DEPLOYMENTS}/no`, undefined, {}, 404, 'NotFound', 'deployments.apps "no" not found'],
    [
      'an unknown resource',
      'GET',
      '/api/v1/foos',
      undefined,
      {},
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
    ['an unknown subresource', 'GET', `${CONFIG_MAPS}/one/status`, undefined, {}, 404, 'NotFound'],
    ['a namespaced object without its namespace', 'GET', '/api/v1/configmaps/one', undefined, {}, 404, 'NotFound'],
    ['a create over all namespaces', 'POST', '/api/v1/configmaps', object, {}, 405, 'MethodNotAllowed'],
    [
      'a POST to an object',
      'POST',
      `${CONFIG_MAPS}/one`,
      object,
      {},
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    ],
    ['a PUT of a collection', 'PUT', CONFIG_MAPS, object, {}, 405, 'MethodNotAllowed'],
    ['a patch of a collection', 'PATCH', CONFIG_MAPS, {}, {}, 405, 'MethodNotAllowed'],
    [
      'a DELETE of a watch',
      'DELETE',
      '/api/v1/watch/namespaces/default/configmaps',
      undefined,
      {},
      405,
      'MethodNotAllowed',
    ],
    ['namespaces in a namespace', 'GET', '/api/v1/namespaces/default/namespaces', undefined, {}, 404, 'NotFound'],
    [
      'an unknown dryRun',
      'POST',
      `${CONFIG_MAPS}?dryRun=Some`,
      object,
      {},
      422,
      'Invalid',
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    ['an unknown fieldValidation', 'POST', `${CONFIG_MAPS}?fieldValidation=No`, object, {}, 422, 'Invalid'],
    ['a malformed label selector', 'GET', `${CONFIG_MAPS}?labelSelector=a%20b`, undefined, {}, 400, 'BadRequest'],
    [
      'an unsupported field selector',
      'GET',
      `${CONFIG_MAPS}?fieldSelector=data.a%3D1`,
      undefined,
      {},
      400,
      'BadRequest',
    ],
    ['a limit that is not a number', 'GET', `${CONFIG_MAPS}?limit=many`, undefined, {}, 400, 'BadRequest'],
    ['a malformed continue token', 'GET', `${CONFIG_MAPS}?continue=xyz`, undefined, {}, 400, 'BadRequest'],
    ['a malformed resourceVersion', 'GET', `${CONFIG_MAPS}?resourceVersion=abc`, undefined, {}, 400, 'BadRequest'],
    ['a match without a version', 'GET', `${CONFIG_MAPS}?resourceVersionMatch=Exact`, undefined, {}, 422, 'Invalid'],
    [
      'initial events without a match',
      'GET',
      `${CONFIG_MAPS}?watch=1&sendInitialEvents=true`,
      undefined,
      {},
      422,
      'Invalid',
    ],
    ['a path with a broken escape', 'GET', '/api/v1/namespaces/%E0%A4%A', undefined, {}, 400, 'BadRequest'],
    ['a body that is too long', 'POST', CONFIG_MAPS, 'x'.repeat(3_200_000), {}, 413, 'RequestEntityTooLarge'],
  ];
  test.each(cases)(
    '%s is answered with the right error',
    async (_name, method, path, body, headers, code, reason, message) => {
      const answer = await api.call(method, path, body, headers);
      expect([answer.code, answer.body.reason, answer.body.kind]).toEqual([code, reason, 'Status']);
      if (message !== undefined) expect(answer.body.message).toBe(message);
      expect(api.errors).toEqual([]);
    },
  );

  // Kubernetes negotiates before it reads the body, so that no write takes effect whose answer cannot be given.
  test.each<[string, string, string, unknown, Record<string, string>]>([
    ['a create', 'POST', CONFIG_MAPS, configMap('other'), {}],
    ['an update', 'PUT', `${CONFIG_MAPS}/one`, configMap('', { metadata: { name: 'one' }, data: { a: 'b' } }), {}],
    [
      'a patch',
      'PATCH',
      `${CONFIG_MAPS}/one`,
      { data: { a: 'b' } },
      { 'content-type': 'application/merge-patch+json' },
    ],
    [
      'an apply',
      'PATCH',
      `${CONFIG_MAPS}/new?fieldManager=me`,
      configMap('', { metadata: { name: 'new' } }),
      { 'content-type': 'application/apply-patch+yaml' },
    ],
    ['a delete', 'DELETE', `${CONFIG_MAPS}/one`, undefined, {}],
    ['a delete of a collection', 'DELETE', CONFIG_MAPS, undefined, {}],
    [
      'a token request',
      'POST',
      '/api/v1/namespaces/default/serviceaccounts/none/token',
      { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec: {} },
      {},
    ],
    [
      'a scale',
      'PUT',
      `${DEPLOYMENTS}/a/scale`,
      {
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'a', namespace: 'default' },
        spec: { replicas: 9 },
      },
      {},
    ],
  ])(
    '%s whose answer cannot take the asked form is refused before it takes effect',
    async (_, method, path, body, headers) => {
      await api.call('POST', CONFIG_MAPS, configMap('one'));
      await api.call('POST', DEPLOYMENTS, deployment('a'));
      const stored = async () => [(await api.call('GET', CONFIG_MAPS)).body, (await api.call('GET', DEPLOYMENTS)).body];
      const before = await stored();
      const accept = 'application/json;as=Chair;v=v1;g=meta.k8s.io';
      const answer = await api.call(method, path, body, { ...headers, accept });
      expect([answer.code, answer.body.reason]).toEqual([406, 'NotAcceptable']);
      expect(await stored()).toEqual(before);
    },
  );

  test('a Status is answered as it is, even to a client that asks for a table', async () => {
    await api.call('POST', CONFIG_MAPS, configMap('one'));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { code, body } = await api.call('DELETE', `${CONFIG_MAPS}/one`, undefined, { accept });
    expect([code, body.kind, body.status]).toEqual([200, 'Status', 'Success']);
  });

  test('an unknown path outside the API is answered with 404 in plain text', async () => {
    for (const path of ['/nothing', '/apis/example.com/v1/foos', '/api/v2/pods', '/apis/none']) {
      const { code, body } = await api.call('GET', path);
      expect([code, body]).toEqual([404, '404 page not found\n']);
    }
  });

  test('an unexpected error is logged, and answered with a 500 without details', async () => {
    const registry = { ...api.registry, get: () => Promise.reject(new Error('secret of the inside')) };
    const broken = await startApi({ registry });
    const { code, body } = await broken.call('GET', `${CONFIG_MAPS}/one`);
    expect([code, body.reason]).toEqual([500, 'InternalError']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(broken.errors).toHaveLength(1);
  });

  test('a request to another host name is refused', async () => {
    const guarded = await startApi({ allowedHosts: ['localhost'] });
    expect((await guarded.call('GET', '/version')).code).toBe(403);
  });

  test('a request from a web page of another origin is refused', async () => {
    const guarded = await startApi({ allowedHosts: ['127.0.0.1'] });
    const codeFrom = async (origin: string) =>
      (await guarded.call('POST', '/api/v1/namespaces', { metadata: { name: 'n' } }, { origin })).code;
    const others = [
      'http://example.com',
      'http://127.0.0.1.example.com',
      'null',
      'http://127.0.0.1:3000',
      'https://127.0.0.1',
    ];
    for (const origin of others) expect(await codeFrom(origin)).toBe(403);
    expect(await codeFrom('http://127.0.0.1')).toBe(201);
  });

  test('a request that the browser marks as coming from the page of another server is refused', async () => {
    const guarded = await startApi({ allowedHosts: ['127.0.0.1'] });
    const codeFrom = async (site: string) =>
      (await guarded.call('GET', '/api/v1/pods', undefined, { 'sec-fetch-site': site })).code;
    expect([await codeFrom('cross-site'), await codeFrom('same-site'), await codeFrom('unheard-of')]).toEqual([
      403, 403, 403,
    ]);
    expect([await codeFrom('same-origin'), await codeFrom('none')]).toEqual([200, 200]);
  });

  test('a body without a Content-Type is refused where web pages are, and is JSON elsewhere, as in Kubernetes', async () => {
    const codeOf = async (options: { allowedHosts?: string[] }) => {
      const { app } = await startApi(options);
      const body = Buffer.from(JSON.stringify({ metadata: { name: 'n' } }));
      const headers = { 'content-length': String(body.length) };
      return (await app.request('http://127.0.0.1/api/v1/namespaces', { method: 'POST', headers, body })).status;
    };
    expect(await codeOf({ allowedHosts: ['127.0.0.1'] })).toBe(415);
    expect(await codeOf({})).toBe(201);
  });

  test('requests for unknown resources do not add a metric per name', async () => {
    const metrics = new MetricsRegistry();
    const counted = await startApi({ metrics });
    for (const path of ['/apis/no1/v1/foos', '/api/v1/no2s', '/apis/no3', `${CONFIG_MAPS}/one/no4`, CONFIG_MAPS])
      await counted.call('GET', path);
    const text = await metrics.metrics();
    expect(text).not.toMatch(/no\d/);
    expect(text).toMatch(/apiserver_request_total\{[^}]*resource="configmaps"/);
  });
});
