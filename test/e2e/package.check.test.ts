// Slow: it builds, packs and installs the package.
import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage } from '../support/installPackage.ts';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '..', '..');

const CONSUMER_JS = `
import { startCluster } from 'driftless-k8s';

const cluster = await startCluster({ clock: 'virtual', pods: [{ image: 'nginx:bad', behave: { failPull: true } }] });
await cluster.apply(\`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'nginx:bad'}]}
\`);
await cluster.advance('11m');
const { status } = await cluster.get('deployment/web');
const openApi = await (await fetch(cluster.url + '/openapi/v3/apis/apps/v1')).json();
console.log(JSON.stringify({
  reasons: status.conditions.map(({ reason }) => reason),
  description: openApi.components.schemas['io.k8s.api.apps.v1.Deployment'].description,
  withoutPeer: await cluster.kubeConfig().catch(({ message }) => message),
}));
await cluster.stop();
`;

const CONSUMER_TS = `
import { type Cluster, type ClusterOptions, ClusterRequestError, startCluster } from 'driftless-k8s';

const options: ClusterOptions = { clock: 'virtual', pods: [{ labels: { app: 'web' }, behave: { startDelay: '5s' } }] };
const cluster: Cluster = await startCluster(options);
const web = await cluster.get('deployment/default/web').catch((error: unknown) => {
  if (error instanceof ClusterRequestError && error.reason === 'NotFound') return undefined;
  throw error;
});
const available: number | undefined = web?.status?.availableReplicas;
const names: string[] = (await cluster.list('pods')).map(({ metadata }) => metadata.name);
// @ts-expect-error There is no such clock.
await startCluster({ clock: 'sundial' });
export { available, names };
`;

const FAILING_TS = `
import { clusterTest } from 'driftless-k8s/vitest';
import { expect } from 'vitest';

const test = clusterTest({ clock: 'virtual' });

test('fails', async ({ cluster }) => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:404' }] } };
  const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
  await cluster.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });
  await cluster.settle();
  expect(await cluster.get('deployment/web')).toBeAvailable();
});

test('passes in an empty cluster', async ({ cluster, namespace }) => {
  expect([namespace, await cluster.list('pods', { namespace: '' })]).toEqual(['test-2', []]);
});
`;

/** Fetched by `.ci/newest-node`. */
const NEWEST_NODE = join(REPOSITORY, 'node_modules', '.cache', 'driftless', 'newest-node', 'bin', 'node');
const NODES = [
  { name: 'the Node of this test', node: process.execPath },
  { name: 'the newest Node', node: NEWEST_NODE },
];
const isThere = ({ node }: { node: string }) => existsSync(node);

/** Installed as users do it: the tarball alone, in an empty project. */
describe('the package', { timeout: 120_000 }, () => {
  let user: InstalledPackage;
  let project = '';
  let packed: readonly string[] = [];
  const installed = (...path: string[]) => user.installed(...path);

  beforeAll(async () => {
    user = await installPackage();
    ({ project, packed } = user);
  }, 600_000);

  afterAll(() => user.remove());

  test.skipIf(existsSync(NEWEST_NODE))(
    'runs on the newest Node (skipped: .ci/newest-node has not fetched it)',
    () => {},
  );

  test('contains the build, its types and the license, and no sources', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'dist/infra/testCluster/startCluster.js',
        'dist/infra/testCluster/startCluster.d.ts',
        'dist/commonjs/infra/testCluster/startCluster.js',
        'dist/commonjs/infra/testCluster/startCluster.d.ts',
      ]),
    );
    expect(
      packed.filter(
        (path) =>
          !/^(?:dist\/.*\.(?:js|d\.ts)|(?:dist\/commonjs\/)?package\.json|(?:README|CHANGELOG)\.md|LICENSE)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  test('contains no code of the cloud stack and its emulation', async () => {
    const paths = packed.filter((path) => /emulat|\bcdk\b|DriftlessStack/i.test(path));
    expect(paths).toEqual([]);
    // The bundler names each source file in a comment above its code.
    const texts = await Promise.all(packed.map((path) => readFile(installed('driftless-k8s', path), 'utf8')));
    const sources = texts.flatMap(
      (text) => text.match(/^\/\/ (?:infra\/(?:emulation|cdk)|lambdas\/adapters\/aws)\/.*$/gm) ?? [],
    );
    expect(sources).toEqual([]);
  });

  test('imports only declared packages and Node`s own modules', async () => {
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(installed('driftless-k8s', 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    const scripts = await Promise.all(
      packed.filter((path) => path.endsWith('.js')).map((path) => readFile(installed('driftless-k8s', path), 'utf8')),
    );
    const imported = scripts.flatMap((text) =>
      [...text.matchAll(/(?:^import |\bfrom |\b(?:import|require)\()"([^".][^"]*)"/gm)].map(([, name = '']) => name),
    );
    const packages = imported.filter((name) => !isBuiltin(name)).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
    expect(packages).toContain('lmdb');
    expect([...new Set(packages)].filter((name) => !declared.includes(name ?? ''))).toEqual([]);
  });

  test('refuses --emulate-cloud with one line, since that works only in a clone', async () => {
    const failed = await run(installed('.bin', 'driftless'), ['--emulate-cloud', '--port', '0', '--data-dir', project])
      .then(() => undefined)
      .catch((error: ExecFileException) => error);
    expect(failed).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'driftless: --emulate-cloud works only in a clone of the repository\n',
    });
  });

  /** Starts the command on a data directory of that name; resolves when it listens. */
  const startServer = (node: string, driftless: string, name: string) =>
    startProgram(node, [driftless, '--port', '0', '--data-dir', join(project, name)]);

  /** Starts a command that serves; resolves to the address that it prints first. */
  async function startProgram(node: string, args: readonly string[]) {
    const server = spawn(node, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => server.on('close', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const listening = /^driftless \w+ on (\S+)\n/.exec(said);
        if (listening) resolve(listening[1] ?? '');
      });
      void ended.then(() => reject(new Error(`it ended: ${said}`)));
    });
    return { url, end: (signal: NodeJS.Signals) => (server.kill(signal), ended) };
  }

  /** The page comes with the files that it names. */
  async function expectPage(address: string): Promise<void> {
    const entered = await fetch(address, { redirect: 'manual' });
    const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const page = await fetch(new URL('/dashboard', address), { headers });
    const assets = [...(await page.text()).matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const codes = assets.map(async (path) => (await fetch(new URL(path, address), { headers })).status);
    expect([page.status, ...(await Promise.all(codes))]).toEqual([200, 200, 200]);
  }

  /** Compiles files of the project as strictly as TypeScript can; returns what it says. */
  async function compile(...files: string[]): Promise<string> {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = run(process.execPath, [tsc, ...options, '--skipLibCheck', 'false', ...files], { cwd: project });
    return await compiled.then(
      ({ stdout }) => stdout,
      ({ stdout }: ExecFileException) => stdout ?? '',
    );
  }

  test('has types that pass strict checks without its optional peers, for ES modules and CommonJS', async () => {
    await writeFile(join(project, 'consumer.ts'), CONSUMER_TS);
    await writeFile(
      join(project, 'consumer.cts'),
      CONSUMER_TS.replace(/^const cluster[^]*$/m, 'export const cluster = startCluster(options);')
        .replace('ClusterRequestError, ', '')
        .replace('type Cluster, ', ''),
    );
    expect(await compile('consumer.ts', 'consumer.cts')).toBe('');
  });

  describe.each(NODES.filter(isThere))('on $name', ({ name, node }) => {
    test('runs from JavaScript, and lets the process end after stop', async () => {
      await writeFile(join(project, 'consumer.js'), CONSUMER_JS);
      const { stdout } = await run(node, ['consumer.js'], { cwd: project, timeout: 110_000 });
      expect(JSON.parse(stdout)).toEqual({
        reasons: ['MinimumReplicasUnavailable', 'ProgressDeadlineExceeded'],
        description: 'Deployment enables declarative updates for Pods and ReplicaSets.',
        withoutPeer: 'kubeConfig() needs the package @kubernetes/client-node; install it beside driftless-k8s',
      });
    });

    test('runs from CommonJS, and loads there on demand, too', async () => {
      const text = CONSUMER_JS.replace(/^import .*$/m, "const { startCluster } = require('driftless-k8s');");
      await writeFile(join(project, 'consumer.cjs'), `(async () => {${text}})();\n`);
      const { stdout } = await run(node, ['consumer.cjs'], { cwd: project, timeout: 110_000 });
      expect(JSON.parse(stdout)).toMatchObject({ reasons: ['MinimumReplicasUnavailable', 'ProgressDeadlineExceeded'] });
      const rbac = `require('driftless-k8s').startCluster({ rbac: true }).then(async (cluster) => {
      await cluster.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
      const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} });
      const made = await cluster.request('/api/v1/namespaces/default/serviceaccounts/robot/token', {
        method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
      console.log(made.status);
      await cluster.stop();
    });`;
      expect((await run(node, ['-e', rbac], { cwd: project, timeout: 110_000 })).stdout).toBe('201\n');
    });

    test('has a command that starts a server, which keeps its objects', async () => {
      const driftless = installed('.bin', 'driftless');
      const first = await startServer(node, driftless, name);
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ metadata: { name: 'kept' } });
      await fetch(`${first.url}/api/v1/namespaces/default/configmaps`, { method: 'POST', headers, body });
      const explained = await run(node, [driftless, 'explain', 'namespace/default', '--server', first.url]);
      expect(explained.stdout).toMatch(/^namespace\/default, at /);
      const dashboard = await startProgram(node, [driftless, 'dashboard', '--server', first.url]);
      for (const address of [`${first.url}/dashboard`, dashboard.url]) await expectPage(address);
      expect(await dashboard.end('SIGTERM')).toBe(0);
      expect(await first.end('SIGTERM')).toBe(0);
      const second = await startServer(node, driftless, name);
      expect((await fetch(`${second.url}/api/v1/namespaces/default/configmaps/kept`)).status).toBe(200);
      expect(await second.end('SIGTERM')).toBe(0);
    });
  });

  describe('under a test runner', () => {
    beforeAll(async () => {
      await user.link('vitest', '@kubernetes/client-node', '@jest/globals', 'expect');
      const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
      const [, example = ''] = /```ts\n(import \{ clusterTest \}[^]*?)```/.exec(readme) ?? [];
      await writeFile(join(project, 'readme.test.ts'), example);
    });

    test('README`s example compiles', async () => {
      expect(await compile('readme.test.ts', '--skipLibCheck', 'true')).toBe('');
    });

    test('a failed test under Vitest is explained', async () => {
      await writeFile(join(project, 'failing.test.ts'), FAILING_TS);
      const { code, output } = await runVitest(process.execPath, 'failing.test.ts');
      expect(code).toBe(1);
      expect(output).toContain(
        'expected deployment test-1/web to be available, but it is progressing: 0 of 3 replicas are available',
      );
      expect(output).toContain('deployment/test-1/web, at 2026-01-01T00:00:00Z');
      expect(output).toContain('The last events in test-1:\n  2026-01-01T00:00:00Z ');
      expect(output).toMatch(/1 failed.*1 passed/);
    });

    describe.each(NODES.filter(isThere))('on $name', ({ node }) => {
      test('README`s example passes under Vitest', async () => {
        expect(await runVitest(node, 'readme.test.ts')).toMatchObject({ code: 0 });
      });

      test('the example for Jest passes, in CommonJS without flags', async () => {
        const directory = await copyExample('jest');
        const jest = join(REPOSITORY, 'node_modules', 'jest', 'bin', 'jest.js');
        const { code, output } = await outcomeOf(node, [jest, '--ci', '--rootDir', directory], directory);
        expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +2 passed/)]);
      });

      test('the example for node --test passes', async () => {
        const directory = await copyExample('node');
        expect(await outcomeOf(node, ['--test'], directory)).toMatchObject({ code: 0 });
      });
    });

    async function runVitest(node: string, file: string): Promise<Outcome> {
      const vitest = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs');
      return await outcomeOf(node, [vitest, 'run', '--root', project, file], project);
    }

    /** Examples resolve packages as if they were installed beside them. */
    async function copyExample(name: string): Promise<string> {
      const directory = join(project, name);
      await cp(join(REPOSITORY, 'examples', name), directory, { recursive: true });
      return directory;
    }
  });
});

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end, with the environment of a terminal without colours and outside of this test. */
async function outcomeOf(program: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_OPTIONS|NODE_TEST_CONTEXT)/.test(name),
  );
  const options = { cwd, env: { ...Object.fromEntries(environment), NO_COLOR: '1' }, timeout: 110_000 };
  return await run(program, [...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: ExecFileException) => ({ code: Number(code), output: `${stdout}${stderr}` }),
  );
}
