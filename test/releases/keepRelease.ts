import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { functionEntry, ROOT } from '../../infra/cdk/bundleFunction.ts';
import { emulatedKnobs } from '../../infra/emulation/EmulationOptions.ts';
import { synthesizeStack } from '../../infra/emulation/template/synthesizeStack.ts';
import { FUNCTIONS } from '../../infra/topology.ts';
import { RELEASE_BEFORE, writeRelease } from './KeptRelease.ts';

/**
 * `npm run keep-release`: keeps this checkout as the release before. To be run at the commit of a release, just before the work on the next one begins. The first argument is another file to write to.
 */
const [path = RELEASE_BEFORE] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
await writeRelease({ version, commit, template: await synthesize(), files: await bundle() }, path);
console.log(`${basename(path)} is version ${version} at ${commit.slice(0, 8)}`);

/** Bundles all functions at once: what they share is kept once. Their packages stay outside. */
async function bundle(): Promise<Readonly<Record<string, string>>> {
  const entries = Object.values(FUNCTIONS).map(({ name }) => [name, functionEntry(name)]);
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries([...entries, ['release', join(ROOT, 'test/releases/Release.ts')]]),
    outdir: join(ROOT, 'dist/release'),
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [basename(file), text]));
}

async function synthesize() {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-release-'));
  try {
    return (await synthesizeStack(directory, emulatedKnobs({ accountConcurrency: 1000 }))).template;
  } finally {
    await rm(directory, { recursive: true });
  }
}
