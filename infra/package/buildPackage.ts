/** `npm run build`: makes `dist`, which is what the npm package has: ES modules, the same as CommonJS modules, and their types. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type BuildOptions, transformSync } from 'esbuild';

const DIST = 'dist';
const COMMON_JS = join(DIST, 'commonjs');

/** What `package.json` exports. Vitest has ES modules only. */
const LIBRARY = ['infra/testCluster/startCluster', 'infra/testCluster/runners/jest'];
const MODULES = [...LIBRARY, 'infra/testCluster/runners/vitest', 'infra/bin/start'];

/** Packages without CommonJS, which older releases of Node and Jest cannot `require`. They become a part of our own CommonJS. */
const MODULES_ONLY = ['jose'];

const BUNDLING = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outbase: '.',
  logLevel: 'warning',
} as const satisfies BuildOptions;

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
keepReachableTypes([
  'infra/testCluster/startCluster',
  'infra/testCluster/runners/jest',
  'infra/testCluster/runners/vitest',
]);
await buildModules();
await buildCommonJs();

async function buildModules(): Promise<void> {
  await build({
    ...BUNDLING,
    entryPoints: MODULES.map((path) => `${path}.ts`),
    packages: 'external',
    external: ['../emulation/*'],
    outdir: DIST,
  });
}

/** esbuild divides code only into ES modules. So that CommonJS, too, loads its rarer parts on demand, each of them is translated by itself; `import()` becomes a `require`, as Jest knows no other. */
async function buildCommonJs(): Promise<void> {
  const { outputFiles } = await build({
    ...BUNDLING,
    entryPoints: LIBRARY.map((path) => `${path}.ts`),
    external: externalPackages(),
    outdir: COMMON_JS,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const { code } = transformSync(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  writeFileSync(join(COMMON_JS, 'package.json'), '{ "type": "commonjs" }\n');
  for (const path of typesIn(DIST)) cpSync(join(DIST, path), join(COMMON_JS, path));
}

function externalPackages(): string[] {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  return Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !MODULES_ONLY.includes(name));
}

/** The compiler writes the types of every module; only those that the entries' types name are of use. */
function keepReachableTypes(entries: readonly string[]): void {
  const reached = new Set(entries.map((path) => resolve(DIST, `${path}.d.ts`)));
  for (const path of reached) {
    const text = readFileSync(path, 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g))
      reached.add(resolve(dirname(path), `${target}.d.ts`));
  }
  for (const path of typesIn(DIST)) if (!reached.has(resolve(DIST, path))) rmSync(join(DIST, path));
}

/** The paths of the types below a directory, from there. */
function typesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.d.ts'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
