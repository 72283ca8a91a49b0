import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

/** Starts a cluster with a rollout of ten from `nginx:1` to an image that cannot be pulled, 108 s after its start. */
async function stuckCluster(): Promise<Cluster> {
  const cluster = await startTestCluster({
    clock: 'virtual',
    seed: 1,
    pods: [{ image: 'nginx:bad', behave: { failPull: true } }],
  });
  await cluster.apply(webDeployment('nginx:1'));
  await cluster.settle();
  await cluster.advance('1m');
  await cluster.apply(webDeployment('nginx:bad'));
  await cluster.advance('108s');
  return cluster;
}

function sectionOf(text: string, title: string): string[] {
  const section = text.split('\n\n').find((one) => one.startsWith(`${title}\n`)) ?? '';
  return section
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

describe('the explanation of a stuck rollout', () => {
  test('shows the replica sets and the bounds', async () => {
    const cluster = await stuckCluster();
    const text = await cluster.explain('deployment/default/web');
    expect(text).toMatch(/^deployment\/default\/web, at 2026-01-01T00:02:48Z\n/);
    expect(
      sectionOf(text, 'Rollout').map((line) => line.replace(/web-\w+/, 'web-<hash>').replace(/ {2,}/g, '  ')),
    ).toEqual([
      '10 replicas, RollingUpdate: maxSurge 25% of 10 rounds up to 3, so at most 13 pods; maxUnavailable 25% of 10 rounds down to 2, so at least 8 available',
      'REPLICA SET  REVISION  DESIRED  CURRENT  READY  AVAILABLE',
      'web-<hash> (old)  1  8  8  8  8',
      'web-<hash> (new)  2  5  5  0  0',
    ]);
  });

  test('shows the decision that would be made now, with its arithmetic', async () => {
    const text = await (await stuckCluster()).explain('deployment/default/web');
    expect(sectionOf(text, 'Decision now')).toEqual([
      'maxSurge 25% of 10 rounds up to 3, so at most 13 pods; 13 - 13 = 0: none may be added',
      'maxUnavailable 25% of 10 rounds down to 2, so at least 8 available; 13 - 8 - 5 new unavailable = 0 old may go',
    ]);
  });

  test('shows what the rollout waits for, and for how long', async () => {
    const text = await (await stuckCluster()).explain('deployment/default/web');
    expect(sectionOf(text, 'Waits').map((line) => line.replace(/web-\w+/, 'web-<hash>'))).toEqual([
      'for room to scale up new replica set web-<hash>',
      'until new replica set web-<hash> has 1 available (now 0)',
      'progress deadline in 8 m 12 s: 10 m after the last progress, at 2026-01-01T00:01:00Z',
    ]);
  });

  test('shows the pods that are the cause', async () => {
    const text = await (await stuckCluster()).explain('deployment/default/web');
    const [line, ...others] = sectionOf(text, 'Pods that are not ready');
    expect(line).toMatch(
      /^ImagePullBackOff: 5 pods of web-\w+, web-\w+-\w+ among them: Back-off pulling image "nginx:bad"/,
    );
    expect(others).toEqual([]);
  });

  test('shows what the last syncs of the Deployment and its replica sets saw, decided and wrote', async () => {
    const text = await (await stuckCluster()).explain('deployment/default/web');
    const syncs = sectionOf(text, 'Last syncs, newest first').join('\n');
    expect(syncs).toMatch(/^2026-01-01T00:01:00Z, 1 m 48 s ago: done, to be looked at again by itself\n/);
    expect(syncs).toMatch(/web-\w+: part old, revision 1, desired 8, current 8, ready 8, available 8/);
    expect(syncs).toContain(
      'decided maxSurge 25% of 10 rounds up to 3, so at most 13 pods; 13 - 11 = 2: 2 may be added',
    );
    expect(syncs).toMatch(/wrote {3}scale replicasets.apps default\/web-\w+ from 3 to 5/);
    expect(text.match(/^Last sync of replicaset\/default\/web-\w+$/gm)).toHaveLength(2);
    expect(text).toContain('it has the 8 pods that it wants');
  });

  test('shows since when the progress deadline is exceeded', async () => {
    const cluster = await stuckCluster();
    await cluster.advance('1h');
    expect(await cluster.explain('deployment/web')).toContain(
      'progress deadline of 10 m exceeded since 2026-01-01T00:11:00Z; it goes on trying',
    );
  });

  test('of a complete rollout says that it waits for nothing', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 3));
    await cluster.settle();
    // A sync during the rollout may have asked to look again after the progress deadline. That wake-up passes first.
    await cluster.advance('11m');
    const text = await cluster.explain('deploy/web');
    expect(sectionOf(text, 'Decision now')).toEqual(['the rollout is complete']);
    expect(sectionOf(text, 'Waits')).toEqual(['for a change: there is nothing to do']);
    expect(sectionOf(text, 'Key')).toEqual(['is idle until something changes']);
    expect(text).not.toContain('Pods that are not ready');
  });

  test('of a paused rollout says that it waits to be resumed, and with minReadySeconds that it waits for those', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 3, { minReadySeconds: 60 }));
    await cluster.settle();
    const [waits] = sectionOf(await cluster.explain('deployment/web'), 'Waits');
    expect(waits).toMatch(
      /^until new replica set web-\w+ has all 3 available \(now 0; 3 more are ready, and count after 60 s\)$/,
    );
    await cluster.patch('deployment/web', { spec: { paused: true } });
    await cluster.settle();
    expect(sectionOf(await cluster.explain('deployment/web'), 'Waits')).toEqual(['to be resumed']);
  });

  test('of a replica set whose pods are refused shows the refusal and the next retry', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    cluster.faults.add({
      by: 'controllers',
      verb: 'create',
      resource: 'pods',
      respond: { code: 403, message: 'no more pods' },
    });
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.advance('1m');
    const [replicaSet] = await cluster.list('replicasets');
    const text = await cluster.explain(`rs/default/${replicaSet?.metadata.name}`);
    expect(text).toMatch(/has failed \d+ times in a row/);
    expect(text).toMatch(/is tried again in \d+/);
    expect(text).toContain('no more pods');
  });
});

describe('the explanation of other objects', () => {
  test('shows what the containers of a pod wait for', async () => {
    const cluster = await startTestCluster({ clock: 'virtual', pods: [{ behave: { startDelay: '30s' } }] });
    await cluster.apply(webDeployment('nginx:1', 1));
    await cluster.settle();
    const [pod] = await cluster.list('pods');
    const text = await cluster.explain(`pod/${pod?.metadata.name}`);
    expect(text).toContain(`ContainerCreating: pod ${pod?.metadata.name}`);
    expect(sectionOf(text, 'Key')).toEqual(['is looked at again in 30 s, though nothing changes']);
  });

  test('needs only the name of a namespace, and shows the last syncs of a deleted one', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await cluster.delete('namespace/shop');
    await cluster.advance('10s');
    expect(await cluster.explain('namespace/shop')).toMatch(/^namespace\/shop, which is gone, at /);
    expect(await cluster.explain('namespace/default')).toMatch(/^namespace\/default, at /);
  });

  test.each([
    ['deployment/default/none', 'deployment/default/none: there is no such object, and no sync of it is remembered'],
    ['widget/default/web', 'no controller works on "widget"; there are deployment, replicaset,'],
    ['deployment', '"deployment" must have the form deployment/NAMESPACE/NAME'],
    ['deployment//web', '"deployment//web" must have the form deployment/NAMESPACE/NAME'],
    ['namespace', '"namespace" must have the form namespace/NAME'],
  ])('rejects the key %s with: %s', async (key, message) => {
    const cluster = await startTestCluster({ controllers: false });
    await expect(cluster.explain(key)).rejects.toThrow(message);
  });
});

describe('GET /debug/explain', () => {
  test('answers with text, or with JSON if the client accepts it', async () => {
    const cluster = await stuckCluster();
    const url = `${cluster.url}/debug/explain/deployment/default/web`;
    const text = await fetch(url);
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toBe(await cluster.explain('deployment/default/web'));
    const json = await fetch(url, { headers: { Accept: 'application/json' } });
    expect(await json.json()).toMatchObject({
      key: 'deployment/default/web',
      exists: true,
      state: { failures: 0, isQueued: false },
      rollout: {
        replicaSets: [
          { part: 'old', available: 8 },
          { part: 'new', available: 0 },
        ],
        wouldWrite: [],
      },
      stuckPods: [{ reason: 'ImagePullBackOff', count: 5 }],
    });
  });

  test('answers 404 for an unknown key and 400 for an invalid one', async () => {
    const cluster = await startTestCluster({ controllers: false });
    const codes = ['deployment/default/none', 'widget/a/b', 'deployment', 'deployment/%E0%A4%A/b'].map(
      async (key) => (await fetch(`${cluster.url}/debug/explain/${key}`)).status,
    );
    expect(await Promise.all(codes)).toEqual([404, 400, 400, 400]);
  });

  test('refuses a request for another host name', async () => {
    const cluster = await startTestCluster({ controllers: false });
    const { port } = new URL(cluster.url);
    const status = await new Promise((resolve) => {
      request({ port, path: '/debug/explain/namespace/default', headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});

describe('npm start -- explain', () => {
  const explain = async (...args: string[]) =>
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'infra/bin/start.ts', 'explain', ...args]);

  test('prints the explanation of the server', async () => {
    const cluster = await stuckCluster();
    const { stdout } = await explain('deployment/default/web', '--server', cluster.url);
    expect(stdout).toBe(await cluster.explain('deployment/default/web'));
  });

  test('finds the server by its data directory, and reports an error in one line', async () => {
    const cluster = await startTestCluster({ controllers: false });
    const dataDir = cluster.kubeconfigPath.replace(/\/kubeconfig$/, '');
    const attempts: [string[], string][] = [
      [['deployment/default/none', '--data-dir', dataDir], 'there is no such object'],
      [['deployment/default/none', '--data-dir', `${dataDir}/none`], 'names no server'],
      [[], 'explain takes one key, such as deployment/default/web'],
      [['a', '--bogus'], 'unknown option --bogus; driftless explain --help lists the options'],
    ];
    const failures = attempts.map(async ([args, message]) => {
      const failure: unknown = await explain(...args).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
      expect((failure as { stderr: string }).stderr.trim().split('\n')).toHaveLength(1);
    });
    await Promise.all(failures);
  });
});
