import { describe, expect, test } from 'vitest';
import { startTestCluster } from '../support/startTestCluster.ts';
import { RemoteCluster, testingObject } from '../support/RemoteCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function openRemote() {
  const cluster = await startTestCluster({ clock: 'virtual' });
  return { cluster, remote: new RemoteCluster(cluster) };
}

describe('a Fault', () => {
  test('that is created acts on the next request, counts, and ends when it is deleted', async () => {
    const { remote } = await openRemote();
    const spec = { verb: 'create', resource: 'deploy', respond: { reason: 'ServiceUnavailable' } };
    expect((await remote.createFault('outage', spec)).code).toBe(201);
    expect((await remote.send('POST', DEPLOYMENTS, webDeployment())).code).toBe(503);
    expect((await remote.send('POST', DEPLOYMENTS, webDeployment())).code).toBe(503);
    expect((await remote.control('GET', 'faults/outage')).body).toMatchObject({ spec, status: { acted: 2 } });
    expect((await remote.control('DELETE', 'faults/outage')).code).toBe(200);
    expect((await remote.send('POST', DEPLOYMENTS, webDeployment())).code).toBe(201);
  });

  test('that is changed acts as it says now, and keeps its count', async () => {
    const { remote } = await openRemote();
    await remote.createFault('slow', { verb: 'list', resource: 'pods', times: 1, conflict: true });
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(409);
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(200);
    const patch = { spec: { times: 2, conflict: null, respond: { code: 503 } } };
    await remote.send('PATCH', '/apis/testing.driftless.dev/v1/faults/slow', patch, 'application/merge-patch+json');
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(503);
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(200);
    expect((await remote.control('GET', 'faults/slow')).body).toMatchObject({ status: { acted: 2 } });
  });

  test('that a test has added with startCluster is the same fault', async () => {
    const { cluster, remote } = await openRemote();
    const fault = cluster.faults.add({ verb: 'get', resource: 'pods', delay: 1_500, times: 3 });
    const list = await remote.control('GET', 'faults');
    expect(list.body['items']).toMatchObject([
      { spec: { verb: 'get', resource: 'pods', delay: '1500ms', times: 3 }, metadata: { name: 'startcluster-1' } },
    ]);
    await remote.control('DELETE', 'faults/startcluster-1');
    expect((await remote.send('GET', '/api/v1/namespaces/default/pods/none')).code).toBe(404);
    expect(fault.met).toBe(0);
    const other = cluster.faults.add({ verb: 'list', resource: 'pods', conflict: true });
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(409);
    expect(other.met).toBe(1);
    expect((await remote.control('GET', 'faults/startcluster-2')).body).toMatchObject({ status: { acted: 1 } });
    other.remove();
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(200);
    expect((await remote.control('GET', 'faults')).body['items']).toEqual([]);
  });

  test('cannot keep a test from taking it back', async () => {
    const { remote } = await openRemote();
    await remote.createFault('everything', { respond: { code: 500 } });
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(500);
    expect((await remote.control('DELETE', 'faults/everything')).code).toBe(200);
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(200);
  });

  test.each([
    ['no effect', { verb: 'get' }, 'spec', 'a fault has exactly one of respond, conflict, delay'],
    ['two effects', { conflict: true, delay: '5s' }, 'spec', 'a fault has exactly one of respond, conflict, delay'],
    ['no such verb', { verb: 'read', conflict: true }, 'spec.verb', 'supported values: "get", "list", "watch"'],
    ['no such resource', { resource: 'wheels', conflict: true }, 'spec.resource', 'there is no resource "wheels"'],
    ['zero times', { times: 0, conflict: true }, 'spec.times', 'a fault has times: an integer from 1'],
    ['no duration', { delay: 'soon' }, 'spec.delay', 'a fault delays by milliseconds, or a duration such as 5s'],
    ['no code', { respond: { code: 299 } }, 'spec.respond.code', 'a fault responds with a code out of 400'],
    [
      'controllers that wait',
      { by: 'controllers', delay: '1s' },
      'spec.delay',
      'a fault delays requests of clients only',
    ],
  ])('is refused with %s', async (_, spec, field, message) => {
    const { remote } = await openRemote();
    const { code, body } = await remote.createFault('wrong', spec);
    const { causes } = body['details'] as { causes: { field: string; message: string }[] };
    expect(code).toBe(422);
    expect(causes[0]?.field).toBe(field);
    expect(causes[0]?.message).toContain(message);
  });
});

describe('a PodBehaviour', () => {
  test('says how pods behave that are created later', async () => {
    const { cluster, remote } = await openRemote();
    await remote.createBehaviour('bad', { imagePattern: '(?i)^NGINX', behave: { failPull: true } });
    await cluster.apply(webDeployment());
    await remote.control('POST', 'clocks/cluster/advance', { duration: '1m' });
    const pods = await cluster.list('pods');
    const reasons = pods.map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason);
    expect(new Set(reasons)).toEqual(new Set(['ImagePullBackOff']));
    expect((await remote.control('GET', 'podbehaviours/bad')).body).toMatchObject({ status: { acted: pods.length } });
  });

  test('says what their containers write, which kubectl logs shows', async () => {
    const { cluster, remote } = await openRemote();
    await remote.createBehaviour('talks', { labels: { app: 'web' }, behave: { log: 'hello\nworld' } });
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.settle();
    const [pod] = await cluster.list('pods');
    const log = await fetch(`${cluster.url}/api/v1/namespaces/default/pods/${pod?.metadata.name}/log`);
    expect(await log.text()).toMatch(/\nhello\nworld\n/);
  });

  test('is seen by running pods at once, and no more when it is deleted', async () => {
    const { cluster, remote } = await openRemote();
    await cluster.apply(webDeployment());
    await cluster.settle();
    const unready = async () =>
      (await cluster.list('pods')).filter(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0)
        .length;
    expect(await unready()).toBe(0);
    await remote.createBehaviour('crash', { namespace: 'default', behave: { crashAfter: '10s', exitCode: 3 } });
    await remote.control('POST', 'clocks/cluster/advance', { duration: '20s' });
    expect(await unready()).toBeGreaterThan(0);
  });

  test.each([
    ['no exit code', { behave: { exitCode: 300 } }, 'spec.behave.exitCode', 'must be an exit code from 0 to 255'],
    ['no duration', { behave: { readyAfter: '-5s' } }, 'spec.behave.readyAfter', 'a duration such as 5s or 1m30s'],
    ['no pattern', { imagePattern: '(', behave: {} }, 'spec.imagePattern', 'error parsing regexp: missing closing )'],
    ['a huge pattern', { imagePattern: '(.{0,1000})+x{500}', behave: {} }, 'spec.imagePattern', 'too large'],
    [
      'a pattern that can take for ever',
      { imagePattern: '(a+)\\1', behave: {} },
      'spec.imagePattern',
      'invalid escape',
    ],
    ['an image and a pattern', { image: 'a', imagePattern: 'a', behave: {} }, 'spec.imagePattern', 'spec.image'],
    ['nothing to do', {}, 'spec.behave', 'Required value'],
  ])('is refused with %s', async (_, spec, field, message) => {
    const { remote } = await openRemote();
    const { code, body } = await remote.createBehaviour('wrong', spec);
    const { causes } = body['details'] as { causes: { field: string; message: string }[] };
    expect(code).toBe(422);
    expect(causes[0]).toMatchObject({ field, message: expect.stringContaining(message) as string });
  });
});

test('fields that do not exist are refused, as kubectl asks for', async () => {
  const { remote } = await openRemote();
  const fault = testingObject('Fault', 'typo', { verbs: 'get', conflict: true });
  const { code, body } = await remote.control('POST', 'faults?fieldValidation=Strict', fault);
  expect(code).toBe(400);
  expect(body['message']).toContain('unknown field "spec.verbs"');
});
