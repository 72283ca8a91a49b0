import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { AuditLevel } from '../../../lambdas/objects/audit/AuditEvent.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import type { BackendConnections } from '../../../lambdas/ports/BackendConnections.ts';
import type { AuditPolicy } from '../../../lambdas/rest/audit/AuditPolicy.ts';
import type { ApiAppOptions } from '../../../lambdas/rest/createApiApp.ts';
import { MemoryAuditLog } from '../../support/MemoryAuditLog.ts';
import { type Api, configMap, openWatch, startApi } from '../startApi.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const ann = { username: 'ann', groups: ['dev'], extra: { 'example.org/team': ['a'] } };
const HEADERS = { 'audit-id': 'a-1', 'user-agent': 'test', 'x-forwarded-for': '192.0.2.7' };

interface Audited {
  readonly api: Api;
  readonly log: MemoryAuditLog;
  /** Sends a request as `ann`. */
  readonly call: Api['call'];
}

/** The API with an audit log of this policy, or of one level for everything. */
async function startAudited(policy: AuditPolicy | AuditLevel, options: Partial<ApiAppOptions> = {}): Promise<Audited> {
  const log = new MemoryAuditLog();
  const rules = typeof policy === 'string' ? { rules: [{ level: policy }] } : policy;
  const api = await startApi({
    audit: { policy: rules, log, maxObjectCharacters: 500_000, remoteAddressOf: () => '::ffff:10.0.0.1' },
    userOf: () => ann,
    ...options,
  });
  return { api, log, call: (method, path, body, headers) => api.call(method, path, body, { ...HEADERS, ...headers }) };
}

/** What the events of one request have in common. */
function common(level: AuditLevel, verb: string, requestURI: string, objectRef?: object) {
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: 'a-1',
    requestURI,
    verb,
    user: ann,
    sourceIPs: ['192.0.2.7', '10.0.0.1'],
    userAgent: 'test',
    ...(objectRef && { objectRef }),
    requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
    stageTimestamp: '2026-01-01T00:00:00.000000Z',
  };
}

const ALLOWED = { annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' } };
const COLLECTION = { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' };
const ONE = { resource: 'configmaps', namespace: 'default', name: 'one', apiVersion: 'v1' };
const answered = (code: number) => ({ stage: 'ResponseComplete', responseStatus: { metadata: {}, code }, ...ALLOWED });

describe('the events of a create', () => {
  test('tell who has asked for what, and the objects as far as the level says', async () => {
    for (const level of ['Metadata', 'Request', 'RequestResponse'] as const) {
      const { log, call } = await startAudited(level);
      const created = await call('POST', CONFIG_MAPS, configMap('one', { data: { a: '1' } }));
      expect(created.headers.get('audit-id')).toBe('a-1');
      const about = common(level, 'create', CONFIG_MAPS, COLLECTION);
      const requestObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: '1' } };
      expect(log.events).toEqual([
        { ...about, stage: 'RequestReceived' },
        {
          ...about,
          ...answered(201),
          objectRef: ONE,
          ...(level !== 'Metadata' && { requestObject }),
          ...(level === 'RequestResponse' && { responseObject: created.body }),
        },
      ]);
    }
  });

  test('have their fields in the order of Kubernetes', async () => {
    const { log, call } = await startAudited('RequestResponse');
    await call('POST', CONFIG_MAPS, configMap('one'));
    expect(Object.keys(log.events[1])).toEqual([
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'sourceIPs',
      'userAgent',
      'objectRef',
      'responseStatus',
      'requestObject',
      'responseObject',
      'requestReceivedTimestamp',
      'stageTimestamp',
      'annotations',
    ]);
  });

  test('that is a dry run say so in their address', async () => {
    const { log, call } = await startAudited('Request');
    await call('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('one'));
    expect(log.events[1]).toMatchObject({ requestURI: `${CONFIG_MAPS}?dryRun=All`, responseStatus: { code: 201 } });
  });

  test('that is refused have its Status', async () => {
    const { log, call } = await startAudited('RequestResponse');
    const { body } = await call('POST', CONFIG_MAPS, configMap('One'));
    const { kind: _kind, apiVersion: _version, ...status } = body;
    expect(log.events[1]).toMatchObject({ responseStatus: status, responseObject: body });
    expect(status).toMatchObject({ status: 'Failure', reason: 'Invalid', code: 422 });
  });
});

describe('the events of other requests', () => {
  test('a patch is recorded as the client has sent it, in one line', async () => {
    const { log, call } = await startAudited('Request');
    await call('POST', CONFIG_MAPS, configMap('one'));
    const headers = { 'content-type': 'application/merge-patch+json' };
    await call('PATCH', `${CONFIG_MAPS}/one`, '{\n  "data": {"a": "2"}\n}', headers);
    expect(log.events[3]).toMatchObject({ verb: 'patch', requestObject: { data: { a: '2' } }, objectRef: ONE });
    expect(log.lines.join('')).not.toContain('\n');
  });

  test('what a server-side apply applies is recorded as JSON, also if it was YAML', async () => {
    const { log, call } = await startAudited('Request');
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: "1"}\n';
    await call('PATCH', `${CONFIG_MAPS}/one?fieldManager=me`, body, headers);
    expect(log.events[1]).toMatchObject({ responseStatus: { code: 201 }, requestObject: { data: { a: '1' } } });
  });

  test('an update names the object that it is about, with its UID and version', async () => {
    const { log, call } = await startAudited('Metadata');
    const { body } = await call('POST', CONFIG_MAPS, configMap('one'));
    await call('PUT', `${CONFIG_MAPS}/one`, body);
    const { uid, resourceVersion } = body.metadata;
    expect(log.events[3].objectRef).toEqual({ ...ONE, uid, resourceVersion });
  });

  test('a deletion has its options, and the Status of its answer', async () => {
    const { log, call } = await startAudited('RequestResponse');
    const { body } = await call('POST', CONFIG_MAPS, configMap('one'));
    await call('DELETE', `${CONFIG_MAPS}/one`, { propagationPolicy: 'Background' });
    expect(log.events[3]).toMatchObject({
      requestObject: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
      responseStatus: { status: 'Success', code: 200, details: { name: 'one', uid: body.metadata.uid } },
      responseObject: { kind: 'Status', status: 'Success' },
    });
  });

  test('a subresource is named, with its group', async () => {
    const { log, call } = await startAudited('Request');
    await call('GET', `${DEPLOYMENTS}/web/scale`);
    expect(log.events[1]).toMatchObject({
      verb: 'get',
      objectRef: { resource: 'deployments', name: 'web', apiGroup: 'apps', apiVersion: 'v1', subresource: 'scale' },
      responseStatus: { reason: 'NotFound', code: 404 },
    });
  });

  test('a list is recorded as it is sent, and has no request object', async () => {
    const { log, call } = await startAudited('RequestResponse');
    const { body } = await call('GET', `${CONFIG_MAPS}?limit=5`);
    expect(log.events[1]).toEqual({
      ...common('RequestResponse', 'list', `${CONFIG_MAPS}?limit=5`, COLLECTION),
      ...answered(200),
      responseObject: body,
    });
  });

  test('a list that is streamed ends when its last byte is taken', async () => {
    const { api, log } = await startAudited('RequestResponse');
    const data = { a: 'x'.repeat(100_000) };
    for (const name of ['one', 'two', 'three']) await api.call('POST', CONFIG_MAPS, configMap(name, { data }));
    const response = await api.app.request(`http://127.0.0.1${CONFIG_MAPS}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(log.events.at(-1)).toMatchObject({ verb: 'list', stage: 'RequestReceived' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    await response.arrayBuffer();
    expect(log.events.at(-1)).toMatchObject({
      verb: 'list',
      stage: 'ResponseComplete',
      responseObject: { kind: 'ConfigMapList' },
    });
    expect(log.events.at(-1).responseObject.items).toHaveLength(3);
  });

  test('a watch has an event when its answer begins, and one when the client leaves', async () => {
    const { api, log } = await startAudited('RequestResponse');
    const watch = await openWatch(api, `${CONFIG_MAPS}?watch=true`);
    const stages = () => log.events.map(({ stage }) => stage);
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted']);
    await watch.cancel();
    expect(stages()).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(log.events[2]).toMatchObject({ verb: 'watch', responseStatus: { metadata: {}, code: 200 } });
    expect(log.events[2]).not.toHaveProperty('responseObject');
  });

  test('a watch that is refused has the same events, with its Status', async () => {
    const { log, call } = await startAudited('Metadata');
    const { code } = await call('GET', `${CONFIG_MAPS}?watch=true&resourceVersion=x`);
    expect(log.events.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
      ['RequestReceived', undefined],
      ['ResponseStarted', code],
      ['ResponseComplete', code],
    ]);
  });

  test('a path that is no resource has neither a reference nor objects', async () => {
    const { log, call } = await startAudited('RequestResponse');
    await call('GET', '/version?pretty=true');
    expect(log.events[1]).toEqual({
      ...common('RequestResponse', 'get', '/version?pretty=true'),
      ...answered(200),
    });
  });

  test('a connection that changes its protocol is answered with 101, and ends when it closes', async () => {
    const log = new MemoryAuditLog();
    const { api } = await startAudited('Metadata', {
      audit: {
        policy: { rules: [{ level: 'Metadata' }] },
        log,
        maxObjectCharacters: 500_000,
        remoteAddressOf: () => undefined,
      },
      backends: {
        upgrade: () => Promise.resolve({ status: 'upgraded', headers: [], stream }),
      } as unknown as BackendConnections,
    });
    const stream = new PassThrough();
    const address = { type: 'InternalIP', address: '10.0.0.9' };
    await api.registry.create('nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'far' },
      status: { addresses: [address] },
    });
    await api.registry.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { nodeName: 'far', containers: [{ name: 'web', image: 'nginx' }] },
    });
    const request = new Request('http://127.0.0.1/api/v1/namespaces/default/pods/web/exec?command=ls&stdout=1', {
      method: 'POST',
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    });
    await api.app.fetch(request, { acceptUpgrade: () => {} });
    expect(log.events.at(-1)).toMatchObject({ stage: 'ResponseStarted', responseStatus: { code: 101 } });
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(log.events.at(-1)).toMatchObject({
      stage: 'ResponseComplete',
      objectRef: { name: 'web', subresource: 'exec' },
      responseStatus: { code: 101 },
    });
  });
});

describe('who asks', () => {
  test('a request of nobody has one event, when it is refused', async () => {
    const { log, call } = await startAudited('Metadata', { userOf: () => undefined });
    const { code, headers } = await call('GET', CONFIG_MAPS);
    expect([code, headers.get('audit-id')]).toEqual([401, 'a-1']);
    expect(log.events).toEqual([
      {
        ...common('Metadata', 'list', CONFIG_MAPS, COLLECTION),
        user: {},
        stage: 'ResponseStarted',
        responseStatus: { metadata: {}, status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
      },
    ]);
  });

  test('a user without permission is recorded with the decision, and whom it wanted to be', async () => {
    const authorizer = {
      allows: () => Promise.resolve(true),
      judge: () => Promise.resolve({ isAllowed: false, reason: 'no relationship' }),
      rulesFor: () => Promise.resolve([]),
      rulesOf: () => Promise.resolve([]),
    };
    const { log, call } = await startAudited('Metadata', { authorizer });
    await call('GET', CONFIG_MAPS, undefined, { 'impersonate-user': 'bob', 'impersonate-group': 'ops' });
    expect(log.events[0]).not.toHaveProperty('impersonatedUser');
    expect(log.events[1]).toMatchObject({
      user: ann,
      impersonatedUser: { username: 'bob', groups: ['ops', 'system:authenticated'] },
      responseStatus: { reason: 'Forbidden', code: 403 },
      annotations: {
        'authorization.k8s.io/decision': 'forbid',
        'authorization.k8s.io/reason': 'no relationship',
      },
    });
  });
});

describe('an audit policy', () => {
  test('omits stages and managed fields, of lists and tables, too', async () => {
    const { log, call } = await startAudited({
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [{ level: 'RequestResponse' }],
    });
    const { body } = await call('POST', CONFIG_MAPS, configMap('one', { data: { a: '1' } }));
    expect(body.metadata).toHaveProperty('managedFields');
    await call('PUT', `${CONFIG_MAPS}/one`, body);
    await call('GET', CONFIG_MAPS);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    await call('GET', `${CONFIG_MAPS}?includeObject=Object`, undefined, { accept });
    expect(log.events.map(({ stage }) => stage)).toEqual(Array(4).fill('ResponseComplete'));
    expect(log.lines.join('')).not.toContain('managedFields"');
    expect(log.events[3].responseObject.rows[0].object.metadata.name).toBe('one');
  });

  test('with nothing to record of a request leaves it its id', async () => {
    const { log, api } = await startAudited('None');
    const { headers } = await api.call('GET', CONFIG_MAPS);
    expect(headers.get('audit-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(log.lines).toEqual([]);
  });

  test('is not needed for the id that an answer has', async () => {
    const api = await startApi();
    const idOf = async (headers?: Record<string, string>) =>
      (await api.call('GET', CONFIG_MAPS, undefined, headers)).headers.get('audit-id');
    expect(await idOf(HEADERS)).toBe('a-1');
    const [first, second] = [await idOf(), await idOf()];
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });
});

describe('annotations', () => {
  test('mark a request for a deprecated version', async () => {
    const { log, call } = await startAudited('Metadata');
    await call('GET', '/api/v1/componentstatuses');
    await call('GET', CONFIG_MAPS);
    const [old, current] = log.events.filter(({ stage }) => stage === 'ResponseComplete');
    expect(old.annotations).toMatchObject({ 'k8s.io/deprecated': 'true' });
    expect(current.annotations).not.toHaveProperty('k8s.io/deprecated');
    expect(log.lines.join('')).not.toContain('removed-release');
  });

  test.each([
    [500, undefined],
    [501, '501ms'],
    [1_500, '1.5s'],
    [62_500, '1m2.5s'],
  ])('of a request that took %i ms say %s', async (ms, total) => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1));
    const { log, call } = await startAudited('Metadata', {
      clock,
      userOf: () => {
        clock.advanceBy(ms);
        return ann;
      },
    });
    await call('GET', CONFIG_MAPS);
    const [received, ended] = log.events;
    expect(received.annotations?.['apiserver.latency.k8s.io/total']).toBeUndefined();
    expect(ended.annotations['apiserver.latency.k8s.io/total']).toBe(total);
  });
});

describe('a failure of the server', () => {
  test('is a panic, and ends the request', async () => {
    const { log, call, api } = await startAudited('Metadata', {
      authorizer: {
        allows: () => Promise.resolve(true),
        judge: () => Promise.reject(new Error('boom')),
        rulesFor: () => Promise.resolve([]),
        rulesOf: () => Promise.resolve([]),
      },
    });
    expect((await call('GET', CONFIG_MAPS)).code).toBe(500);
    expect(api.errors).toHaveLength(1);
    expect(log.events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'Panic']);
    expect(log.events[1].responseStatus).toEqual({
      metadata: {},
      status: 'Failure',
      message: "APIServer panic'd: boom",
      reason: 'InternalError',
      code: 500,
    });
  });
});

describe('what is recorded', () => {
  test('is not an answer that is longer than the log takes, which the client gets whole', async () => {
    const { log, call } = await startAudited('RequestResponse');
    await call('POST', CONFIG_MAPS, configMap('long', { data: { a: 'x'.repeat(600_000) } }));
    const { body } = await call('GET', `${CONFIG_MAPS}/long`);
    expect((body as { data: { a: string } }).data.a).toHaveLength(600_000);
    const [, created, , read] = log.events;
    for (const event of [created, read]) {
      expect(event).not.toHaveProperty('responseObject');
      expect(event.annotations).toMatchObject({ 'audit.k8s.io/truncated': 'true' });
    }
    expect(created).toHaveProperty('requestObject');
  });

  test('of a patch is the patch, also after a byte order mark', async () => {
    const { log, call } = await startAudited('Request');
    await call('POST', CONFIG_MAPS, configMap('one'));
    const type = { 'content-type': 'application/merge-patch+json' };
    const patched = await call('PATCH', `${CONFIG_MAPS}/one`, '\uFEFF{"data": {"a": "1"}}', type);
    expect(patched.code).toBe(200);
    expect(log.events.at(-1)).toMatchObject({ stage: 'ResponseComplete', requestObject: { data: { a: '1' } } });
  });
});
