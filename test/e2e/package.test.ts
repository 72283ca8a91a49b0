import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '..', '..');

const CONSUMER_JS = `
import { startCluster } from 'driftless';

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
import { type Cluster, type ClusterOptions, ClusterRequestError, startCluster } from 'driftless';

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

/** Installed as users do it: the tarball alone, in an empty project. */
describe('the package', () => {
  let project = '';
  let packed: readonly string[] = [];
  const installed = (...path: string[]) => join(project, 'node_modules', ...path);

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'driftless-package-'));
    await run('npm', ['run', 'build'], { cwd: REPOSITORY });
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
    const { stdout } = await run('npm', args, { cwd: REPOSITORY, maxBuffer: 16 * 1024 * 1024 });
    const [tarball] = Object.values(
      JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>,
    );
    packed = tarball?.files.map(({ path }) => path) ?? [];
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
    await install(project, join(project, tarball?.filename ?? ''));
  }, 180_000);

  afterAll(async () => await rm(project, { recursive: true }));

  test('contains the build, its types and the license, and no sources', () => {
    expect(packed).toEqual(
      expect.arrayContaining(['LICENSE', 'dist/infra/cluster/startCluster.js', 'dist/infra/cluster/startCluster.d.ts']),
    );
    expect(
      packed.filter((path) => !/^(?:dist\/.*\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/.test(path)),
    ).toEqual([]);
  });

  test('contains no code of the cloud stack and its emulation', async () => {
    const paths = packed.filter((path) => /emulat|\bcdk\b|DriftlessStack/i.test(path));
    expect(paths).toEqual([]);
    // The bundler names each source file in a comment above its code.
    const texts = await Promise.all(packed.map((path) => readFile(installed('driftless', path), 'utf8')));
    const sources = texts.flatMap(
      (text) => text.match(/^\/\/ (?:infra\/(?:emulation|cdk)|lambdas\/adapters\/aws)\/.*$/gm) ?? [],
    );
    expect(sources).toEqual([]);
  });

  test('imports only declared packages and Node`s own modules', async () => {
    const { dependencies, peerDependencies } = JSON.parse(
      await readFile(installed('driftless', 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    const scripts = await Promise.all(
      packed.filter((path) => path.endsWith('.js')).map((path) => readFile(installed('driftless', path), 'utf8')),
    );
    const imported = scripts.flatMap((text) =>
      [...text.matchAll(/(?:^import |\bfrom |\bimport\()"([^".][^"]*)"/gm)].map(([, name = '']) => name),
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

  test('runs from JavaScript, and lets the process end after stop', async () => {
    await writeFile(join(project, 'consumer.js'), CONSUMER_JS);
    const { stdout } = await run(process.execPath, ['consumer.js'], { cwd: project, timeout: 30_000 });
    expect(JSON.parse(stdout)).toEqual({
      reasons: ['MinimumReplicasUnavailable', 'ProgressDeadlineExceeded'],
      description: 'Deployment enables declarative updates for Pods and ReplicaSets.',
      withoutPeer: 'kubeConfig() needs the package @kubernetes/client-node; install it beside driftless',
    });
  });

  test('has types that pass strict checks without its optional peer', async () => {
    await writeFile(join(project, 'consumer.ts'), CONSUMER_TS);
    const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
      '--skipLibCheck',
      'false',
    ];
    const checked = run(process.execPath, [tsc, ...options, 'consumer.ts'], { cwd: project });
    expect(
      await checked.then(
        ({ stdout }) => stdout,
        ({ stdout }: ExecFileException) => stdout,
      ),
    ).toBe('');
  });

  test('has a command that starts a server', async () => {
    const server = spawn(installed('.bin', 'driftless'), ['--ephemeral', '--port', '0', '--data-dir', project]);
    const ended = new Promise((resolve) => server.on('close', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const listening = /listening on (\S+)\n/.exec(said);
        if (listening) resolve(listening[1] ?? '');
      });
      void ended.then(() => reject(new Error(`it ended: ${said}`)));
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const explained = await run(installed('.bin', 'driftless'), ['explain', 'namespace/default', '--server', url]);
    expect(explained.stdout).toMatch(/^namespace\/default, at /);
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

/**
 * Installs with npm if a registry or its cache is available. Otherwise unpacks the tarball and links only its declared dependencies. Install scripts of other
 * packages are not run.
 */
async function install(project: string, tarball: string): Promise<void> {
  const args = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--fetch-retries=0',
    tarball,
  ];
  try {
    await run('npm', args, { cwd: project, timeout: 90_000 });
  } catch {
    await installByHand(project, tarball);
  }
}

async function installByHand(project: string, tarball: string): Promise<void> {
  const modules = join(project, 'node_modules');
  const target = join(modules, 'driftless');
  await rm(modules, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  const { dependencies, bin } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    bin: Record<string, string>;
  };
  const link = async (from: string, to: string) => {
    await mkdir(dirname(to), { recursive: true });
    await symlink(from, to);
  };
  await Promise.all([
    ...Object.keys(dependencies).map((name) => link(join(REPOSITORY, 'node_modules', name), join(modules, name))),
    ...Object.entries(bin).map(([name, path]) => link(join(target, path), join(modules, '.bin', name))),
  ]);
}
