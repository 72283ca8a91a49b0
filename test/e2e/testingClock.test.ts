import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClusterOptions } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { RemoteCluster } from '../support/RemoteCluster.ts';
import { widgetDefinition } from '../support/widgetDefinition.ts';
import { webDeployment } from '../support/webDeployment.ts';

const CLOCK = 'clocks/cluster';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

async function openRemote(options: ClusterOptions = { clock: 'virtual' }) {
  const cluster = await startTestCluster(options);
  return { cluster, remote: new RemoteCluster(cluster) };
}

describe('the Clock', () => {
  test('tells the time, and cannot be written', async () => {
    const { remote } = await openRemote();
    const status = { time: '2026-01-01T00:00:00.000Z', type: 'Virtual' };
    expect((await remote.control('GET', CLOCK)).body).toMatchObject({ kind: 'Clock', status });
    expect((await remote.control('GET', 'clocks')).body['items']).toMatchObject([{ status }]);
    expect((await remote.control('DELETE', CLOCK)).code).toBe(405);
    expect((await remote.control('POST', 'clocks', { kind: 'Clock' })).code).toBe(405);
  });

  test('is advanced, and answers when everything due has happened', async () => {
    const { cluster, remote } = await openRemote();
    await remote.createBehaviour('bad', { image: 'nginx:1', behave: { failPull: true } });
    await remote.send('POST', DEPLOYMENTS, webDeployment());
    const { code, body } = await remote.control('POST', `${CLOCK}/advance`, { duration: '10m1s' });
    expect(code).toBe(201);
    expect(body).toMatchObject({ kind: 'Clock', status: { time: '2026-01-01T00:10:01.000Z' } });
    expect(cluster.now().toISOString()).toBe('2026-01-01T00:10:01.000Z');
    const { status } = (await remote.send('GET', `${DEPLOYMENTS}/web`)).body as { status: { conditions: object[] } };
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
    );
  });

  test('is moved by two clients one after the other', async () => {
    const { cluster, remote } = await openRemote();
    const answers = await Promise.all([
      remote.control('POST', `${CLOCK}/advance`, { duration: '1m' }),
      cluster.advance('2m'),
      remote.control('POST', `${CLOCK}/advance`, { duration: '3m' }),
    ]);
    expect(answers[0].code).toBe(201);
    expect((await remote.control('GET', CLOCK)).body).toMatchObject({ status: { time: '2026-01-01T00:06:00.000Z' } });
  });

  test.each([
    [{ duration: '-5m' }, 'Invalid value: "-5m": must not be negative'],
    [{ duration: 'soon' }, 'Invalid value: "soon": must be a duration such as 10m or 1h30m'],
    [{ duration: 60 }, 'Invalid value: 60: must be a text such as 10m or 1h30m'],
    [{ duration: '9999999h' }, 'Invalid value: "9999999h": must be at most 876000h'],
    [{}, 'Required value: how far the clock moves, such as 10m'],
  ])('refuses to advance by %j', async (body, message) => {
    const { remote } = await openRemote();
    const refused = await remote.control('POST', `${CLOCK}/advance`, body);
    expect(refused.code).toBe(422);
    expect(refused.body).toMatchObject({ reason: 'Invalid', details: { causes: [{ field: 'duration', message }] } });
    expect((await remote.control('GET', CLOCK)).body).toMatchObject({ status: { time: '2026-01-01T00:00:00.000Z' } });
  });

  test.each([
    ['unknown fields', 'advance', { duration: '1m', quite: '1s' }, 400],
    ['lists', 'settle', [], 400],
    ['other clocks', '../other/settle', {}, 404],
    ['other actions', 'stop', {}, 404],
    ['a wait that is no duration', 'settle', { quiet: 'long' }, 422],
  ])('refuses %s', async (_, action, body, code) => {
    const { remote } = await openRemote();
    expect((await remote.control('POST', `${CLOCK}/${action}`, body)).code).toBe(code);
  });

  test('of the machine cannot be advanced, but the cluster settles', async () => {
    const { remote } = await openRemote({});
    const refused = await remote.control('POST', `${CLOCK}/advance`, { duration: '1m' });
    expect(refused.body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refused.body['message']).toContain("the clock is the machine's");
    await remote.send('POST', DEPLOYMENTS, webDeployment());
    expect((await remote.control('POST', `${CLOCK}/settle`)).body).toMatchObject({ status: { type: 'Real' } });
    const { status } = (await remote.send('GET', `${DEPLOYMENTS}/web`)).body;
    expect(status).toMatchObject({ observedGeneration: 1 });
  });
});

describe('settle', () => {
  test('with a quiet time waits for a client that does not watch', async () => {
    const { cluster, remote } = await openRemote();
    let isOver = false;
    const settled = remote.control('POST', `${CLOCK}/settle`, { quiet: '1s' }).finally(() => (isOver = true));
    let lastBegunMs = 0;
    for (const name of ['a', 'b', 'c']) {
      lastBegunMs = performance.now();
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      await remote.send('POST', '/api/v1/namespaces/default/configmaps', configMap);
    }
    expect(isOver).toBe(false);
    expect((await settled).code).toBe(201);
    expect(performance.now() - lastBegunMs).toBeGreaterThanOrEqual(1_000);
    expect(await cluster.list('configmaps', { namespace: 'default' })).toHaveLength(4);
  });

  test('that never comes ends with the names of what is busy', async () => {
    const { remote } = await openRemote();
    const ended = new AbortController();
    const writer = (async () => {
      for (let count = 0; !ended.signal.aborted; count += 1)
        await remote.send('PUT', '/api/v1/namespaces/default/configmaps/busy', {}).catch(() => ({}));
    })();
    onTestFinished(async () => {
      ended.abort();
      await writer;
    });
    const answer = await remote.control('POST', `${CLOCK}/settle`, { quiet: '1s', timeout: '1500ms' });
    expect(answer.code).toBe(504);
    expect(answer.body['message']).toMatch(
      /did not settle within 1.5 s: something keeps it busy: .*requests of clients, the last PUT \/api\/v1\/namespaces\/default\/configmaps\/busy by /,
    );
  });
});

describe('reset', () => {
  test('leaves what a new cluster has, and the clock where it is', async () => {
    const { cluster, remote } = await openRemote();
    const everything = async () => ({
      namespaces: (await cluster.list('namespaces')).map(({ metadata }) => metadata.name),
      nodes: (await cluster.list('nodes')).map(({ metadata }) => metadata.name),
      pods: await cluster.list('pods'),
      deployments: await cluster.list('deployments'),
      events: (await cluster.list('events')).length,
      accounts: (await cluster.list('serviceaccounts')).map(({ metadata }) => metadata.namespace),
      configMaps: (await cluster.list('configmaps')).map(({ metadata }) => metadata.name),
    });
    const before = await everything();
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team', finalizers: ['a.example/b'] },
    });
    await cluster.apply({
      ...webDeployment(),
      metadata: { name: 'web', namespace: 'team', finalizers: ['a.example/b'] },
    });
    await cluster.delete('node/driftless-node-1');
    await cluster.patch('namespace/default', { metadata: { labels: { changed: 'yes' } } });
    await remote.createFault('outage', { resource: 'pods', respond: { code: 503 } });
    await remote.createBehaviour('slow', { behave: { readyAfter: '1h' } });
    await cluster.advance('5m');
    expect((await remote.control('POST', `${CLOCK}/reset`)).code).toBe(201);
    expect(await everything()).toEqual(before);
    expect((await cluster.get('namespace/default')).metadata.labels).not.toHaveProperty('changed');
    expect((await remote.send('GET', '/api/v1/pods')).code).toBe(200);
    for (const kind of ['faults', 'podbehaviours'])
      expect((await remote.control('GET', kind)).body['items']).toEqual([]);
    expect(cluster.now().toISOString()).toBe('2026-01-01T00:05:00.000Z');
  });

  test('removes definitions with their objects, so that the next test can define them otherwise', async () => {
    const { cluster } = await openRemote();
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', finalizers: ['a.example/b'] },
    };
    for (let round = 1; round <= 2; round += 1) {
      await cluster.apply(widgetDefinition());
      await cluster.apply(widget);
      expect(await cluster.list('widgets.example.com')).toHaveLength(1);
      await cluster.reset();
      expect(await cluster.list('customresourcedefinitions')).toEqual([]);
      expect((await cluster.request('/apis/example.com/v1/widgets')).status).toBe(404);
    }
  });

  test('leaves the behaviours that startCluster was given', async () => {
    const pods = [{ image: /bad$/, behave: { failPull: true } }];
    const { cluster, remote } = await openRemote({ clock: 'virtual', pods });
    await cluster.reset();
    expect((await remote.control('GET', 'podbehaviours')).body['items']).toMatchObject([
      { spec: { imagePattern: 'bad$', behave: { failPull: true } } },
    ]);
    await cluster.reset();
    expect((await remote.control('GET', 'podbehaviours')).body['items']).toHaveLength(1);
  });

  test('lets a watch see each object go, and the next test begin at a higher version', async () => {
    const { cluster, remote } = await openRemote();
    const [before] = await cluster.apply(webDeployment());
    await cluster.settle();
    const watch = await fetch(`${cluster.url}${DEPLOYMENTS}?watch=true`);
    const events = watch.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await events?.read())?.value).toContain('"ADDED"');
    await remote.control('POST', `${CLOCK}/reset`);
    expect((await events?.read())?.value).toContain('"DELETED"');
    const [after] = await cluster.apply(webDeployment());
    expect((await events?.read())?.value).toContain('"ADDED"');
    expect(Number(after?.metadata.resourceVersion)).toBeGreaterThan(Number(before?.metadata.resourceVersion));
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    await events?.cancel();
  });

  test('of a cluster in which a rollout runs leaves nothing that goes on', async () => {
    const { cluster } = await openRemote();
    await cluster.apply(webDeployment());
    await cluster.reset();
    await cluster.advance('10m');
    expect(await cluster.list('pods')).toEqual([]);
    expect(await cluster.list('replicasets')).toEqual([]);
  });
});
