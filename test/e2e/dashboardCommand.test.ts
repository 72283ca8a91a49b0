import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';
import type { PageMessage } from '../../infra/dashboard/views/PageViews.ts';
import { parseDashboardOptions, runDashboard } from '../../infra/commandLine/runDashboard.ts';
import { UsageError } from '../../infra/host/UsageError.ts';
import { hasChromium, startChromium } from '../support/chromium.ts';
import { DashboardProcess } from '../support/DashboardProcess.ts';
import { withExecCredentials, writeExecToken } from '../support/execCredentials.ts';
import { hasKubectl } from '../support/kubectl.ts';
import { runProgram } from '../support/runProgram.ts';
import { ServerProcess } from '../support/ServerProcess.ts';
import { startTestCluster } from '../support/startTestCluster.ts';
import { webDeployment } from '../support/webDeployment.ts';

const WEB = '/deployments/default/web';
const NOWHERE = 'http://127.0.0.1:1';
const FORBIDDEN = /User "system:serviceaccount:default:robot" cannot list/;

const run = (...args: readonly string[]) => runDashboard(parseDashboardOptions(args, { KUBECONFIG: '/dev/null' }));

const saysAll =
  (count: number) =>
  ({ workloads }: PageMessage): boolean =>
    workloads.some(({ available, updated, state }) => state === 'complete' && available === count && updated === count);

/** Writes a kubeconfig with the token of a service account `robot`, which may do what these rules say. */
async function kubeconfigOfRobot(cluster: Cluster, rules: readonly object[]): Promise<string> {
  const namespace = 'default';
  const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'robot' };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  await cluster.apply([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace } },
    { apiVersion, kind: 'ClusterRole', metadata: { name: 'robot' }, rules },
    { apiVersion, kind: 'ClusterRoleBinding', metadata: { name: 'robot' }, roleRef, subjects },
  ]);
  const made = await cluster.request('/api/v1/namespaces/default/serviceaccounts/robot/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  });
  const { status } = (await made.json()) as { readonly status: { readonly token: string } };
  const users = [{ name: 'robot', user: { token: status.token } }];
  const { clusters } = parse(cluster.kubeconfig) as { readonly clusters: readonly { readonly name: string }[] };
  const contexts = [{ name: 'robot', context: { cluster: clusters[0]?.name, user: 'robot' } }];
  const path = join(dirname(cluster.kubeconfigPath), 'robot');
  writeFileSync(path, stringify({ clusters, users, contexts, 'current-context': 'robot' }));
  return path;
}

describe('driftless dashboard', { timeout: 120_000 }, () => {
  test('shows the server that the kubeconfig names, in the time of its virtual clock', async () => {
    const cluster = await startTestCluster({ clock: 'virtual' });
    await cluster.apply(webDeployment('nginx:1', 3, { minReadySeconds: 10 }));
    await cluster.advance('1m');
    const dashboard = await DashboardProcess.start([], { KUBECONFIG: cluster.kubeconfigPath });
    expect(dashboard.printed).toMatch(
      /^driftless dashboard on http:\/\/127\.0\.0\.1:\d+\/dashboard\?key=\S{32}\nshows the context driftless, http:\/\/\S+\n$/,
    );
    expect(await (await dashboard.call('/server')).json()).toMatchObject({ isDriftless: true, isVirtual: true });
    const next = await dashboard.follow(`${WEB}/stream`);
    const first = await next(saysAll(3));
    expect([first.isVirtual, new Date(first.nowMs).toISOString()]).toEqual([true, '2026-01-01T00:01:00.000Z']);
    expect(first.pods.map(({ state }) => state)).toEqual(['available', 'available', 'available']);
    const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }];
    await cluster.request('/apis/apps/v1/namespaces/default/deployments/web', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(image),
    });
    await cluster.advance('10m');
    await next(({ workloads }) => workloads.some(({ revision, available }) => revision === '2' && available === 3));
    await next(({ nowMs }) => nowMs === Date.parse('2026-01-01T00:11:00Z'));
    const why = await (await dashboard.call(`${WEB}/why`)).json();
    expect(why).toMatchObject({ isOwn: true, nowMs: Date.parse('2026-01-01T00:11:00Z') });
    expect(await dashboard.end('SIGINT')).toMatchObject({ code: 0 });
  });

  test('shows its page only to those who have the key, until SIGTERM', async () => {
    const cluster = await startTestCluster();
    const dashboard = await DashboardProcess.start(['--server', cluster.url, '--port', '0']);
    expect(dashboard.printed).toContain(`shows the server ${cluster.url}\n`);
    const { address } = dashboard;
    const { origin } = new URL(address);
    expect((await fetch(`${origin}/dashboard`)).status).toBe(403);
    expect((await fetch(`${origin}/dashboard?key=wrong`)).status).toBe(403);
    expect((await fetch(`${origin}/api/v1/pods`)).status).toBe(403);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    await (await dashboard.follow('/stream'))(({ isStart }) => isStart === true);
    const { code, tookMs } = await dashboard.end('SIGTERM');
    expect(code).toBe(0);
    // The process ends itself after two seconds at most; the rest is for a busy machine.
    expect(tookMs).toBeLessThan(15_000);
  });

  test('goes on when the server is killed and started again', async () => {
    const first = await ServerProcess.start(['--testing']);
    onTestFinished(() => first.dispose());
    const { port } = new URL(first.baseUrl);
    const send = (method: string, path: string, body: object, type = 'application/json') =>
      fetch(`${first.baseUrl}${path}`, { method, headers: { 'content-type': type }, body: JSON.stringify(body) });
    const collection = '/apis/apps/v1/namespaces/default/deployments';
    await send('POST', collection, webDeployment('nginx:1', 3));
    const dashboard = await DashboardProcess.start(['--data-dir', first.dataDir]);
    const next = await dashboard.follow(`${WEB}/stream`);
    await next(saysAll(3));
    await first.end('SIGKILL');
    await next(({ problem }) => problem?.includes('no server answers') === true);
    const second = await ServerProcess.start(['--testing', '--port', port], first.dataDir);
    onTestFinished(() => second.dispose());
    await send('PATCH', `${collection}/web`, { spec: { replicas: 5 } }, 'application/merge-patch+json');
    await next(saysAll(5));
    const heals = await dashboard.follow(`${WEB}/stream`);
    await heals((message) => saysAll(5)(message) && message.problem === undefined);
  });

  test('signs in with the credentials of the context, and greys out what RBAC forbids', async () => {
    const cluster = await startTestCluster({ rbac: true });
    await cluster.apply(webDeployment('nginx:1', 2));
    const administrator = await DashboardProcess.start(['--kubeconfig', cluster.kubeconfigPath]);
    await (await administrator.follow('/stream'))(saysAll(2));
    expect(await (await administrator.call(`${WEB}/forbidden`)).json()).toEqual({});

    const readAll = { apiGroups: ['', 'apps'], resources: ['*'], verbs: ['get', 'list', 'watch'] };
    const scale = { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] };
    const kubeconfig = await kubeconfigOfRobot(cluster, [readAll, scale]);
    const robot = await DashboardProcess.start(['--kubeconfig', kubeconfig, '--context', 'robot']);
    expect(robot.printed).toContain('shows the context robot, https://');
    await (await robot.follow('/stream'))(saysAll(2));
    const forbidden = (await (await robot.call(`${WEB}/forbidden`)).json()) as Record<string, string>;
    expect(Object.keys(forbidden).sort()).toEqual(['delete', 'patch']);
    if (!hasChromium) return;
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(robot.address);
    await page.getByRole('link', { name: 'default/web' }).click();
    for (const name of ['Pause', 'Restart', 'Delete']) {
      const button = page.getByRole('button', { name });
      await page.locator('button:disabled', { hasText: name }).waitFor();
      expect(await button.getAttribute('title')).toMatch(/\S/);
    }
    expect(await page.getByRole('button', { name: 'Scale' }).isEnabled()).toBe(true);
  });

  test('says why it shows nothing to a user who may not watch, and shows it once the user may', async () => {
    const cluster = await startTestCluster({ rbac: true });
    await cluster.apply(webDeployment('nginx:1', 2));
    const kubeconfig = await kubeconfigOfRobot(cluster, []);
    const robot = await DashboardProcess.start(['--kubeconfig', kubeconfig]);
    const next = await robot.follow('/stream');
    await next(({ problem }) => FORBIDDEN.test(problem ?? ''));
    await kubeconfigOfRobot(cluster, [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }]);
    await next(saysAll(2));
  });

  test('shows one namespace to a user who may watch no other', async () => {
    const cluster = await startTestCluster({ rbac: true });
    await cluster.apply(webDeployment('nginx:1', 2));
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    await cluster.apply({ ...webDeployment('nginx:1', 3), metadata: { name: 'web', namespace: 'other' } });
    const kubeconfig = await kubeconfigOfRobot(cluster, []);
    const readAll = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const metadata = { name: 'reader', namespace: 'default' };
    await cluster.apply([
      { apiVersion, kind: 'Role', metadata, rules: readAll },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
      },
    ]);
    const robot = await DashboardProcess.start(['--kubeconfig', kubeconfig, '-n', 'default']);
    const { workloads } = await (await robot.follow('/stream'))(saysAll(2));
    expect(workloads.map(({ id }) => id)).toEqual(['deployment/default/web']);
    await (await robot.follow(`${WEB}/stream`))(({ pods }) => pods.length === 2);
  });

  test.skipIf(!hasKubectl)(
    'signs in by the program that the context names, and again when that knows better',
    async () => {
      const cluster = await startTestCluster({ rbac: true });
      await cluster.apply(webDeployment('nginx:1', 2));
      const directory = dirname(cluster.kubeconfigPath);
      const path = join(directory, 'exec');
      writeFileSync(path, withExecCredentials(cluster.kubeconfig, 'expired', directory));
      const dashboard = await DashboardProcess.start(['--kubeconfig', path]);
      const next = await dashboard.follow('/stream');
      await next(({ problem }) => problem?.includes('Unauthorized') === true);
      const { users } = parse(cluster.kubeconfig) as {
        readonly users: readonly { readonly user: { token: string } }[];
      };
      writeExecToken(users[0]?.user.token ?? '', directory);
      await next(saysAll(2));
    },
  );

  test('says in one line that nobody answers, and ends with code 2', async () => {
    const words = ['infra/bin/startFromSource.js', 'dashboard', '--server', NOWHERE];
    const { code, stdout, stderr } = await runProgram(process.execPath, words);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      `driftless: no server answers at ${NOWHERE}; name the server by --server, --context or --data-dir\n`,
    ]);
  });

  test.each([
    ['an unknown option', ['--prt', '1'], 'unknown option --prt; did you mean --port?'],
    ['a word for a port', ['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
    ['no namespace', ['--namespace', ''], '--namespace must not be empty'],
    ['two servers', ['--server', 'a', '--context', 'b'], 'name one of --server, --context (with --kubeconfig)'],
    ['an unknown context', ['--context', 'b'], '/dev/null names no context b'],
  ])('refuses %s', async (_, args, message) => {
    const refused = (async () => await run(...args))();
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(message);
  });

  test('refuses a port that is in use', async () => {
    const cluster = await startTestCluster();
    const { port } = new URL(cluster.url);
    await expect(run('--server', cluster.url, '--port', port)).rejects.toThrow(
      new UsageError(`port ${port} is in use; name another one, or 0 for one that is free`),
    );
  });

  test('refuses a server that is no Kubernetes', async () => {
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(run('--server', `http://127.0.0.1:${port}`)).rejects.toThrow(
      `the server at http://127.0.0.1:${port} is no Kubernetes API; name the server by --server, --context or --data-dir`,
    );
  });
});
