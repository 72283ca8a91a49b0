import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '..', '..');
const NAME = 'driftless-k8s';

/** An empty project of a user, with the packed tarball installed. */
export interface InstalledPackage {
  /** Its directory. */
  readonly project: string;
  /** The paths of the tarball's files. */
  readonly packed: readonly string[];
  /** A path below its `node_modules`. */
  installed(...path: string[]): string;
  /** Makes packages of this repository ones of the project, as its own tools. */
  link(...names: string[]): Promise<void>;
  remove(): Promise<void>;
}

/** Builds the package, packs it, and installs the tarball as users do it, in an empty project. Takes some ten seconds. */
export async function installPackage(): Promise<InstalledPackage> {
  const project = await mkdtemp(join(tmpdir(), 'driftless-package-'));
  await run('npm', ['run', 'build'], { cwd: REPOSITORY });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', project];
  const { stdout } = await run('npm', args, { cwd: REPOSITORY, maxBuffer: 16 * 1024 * 1024 });
  const [tarball] = Object.values(
    JSON.parse(stdout) as Record<string, { filename: string; files: { path: string }[] }>,
  );
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await install(project, join(project, tarball?.filename ?? ''));
  const modules = join(project, 'node_modules');
  return {
    project,
    packed: tarball?.files.map(({ path }) => path) ?? [],
    installed: (...path) => join(modules, ...path),
    link: async (...names) => {
      for (const name of names) await linkTo(join(REPOSITORY, 'node_modules', name), join(modules, name));
    },
    remove: () => rm(project, { recursive: true }),
  };
}

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
  const target = join(modules, NAME);
  await rm(modules, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  const { dependencies, bin } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    bin: Record<string, string>;
  };
  await Promise.all([
    ...Object.keys(dependencies).map((name) => linkTo(join(REPOSITORY, 'node_modules', name), join(modules, name))),
    ...Object.entries(bin).map(([name, path]) => linkTo(join(target, path), join(modules, '.bin', name))),
  ]);
}

async function linkTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to);
}
