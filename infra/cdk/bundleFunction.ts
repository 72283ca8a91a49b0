import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type OutputFile } from 'esbuild';
import type { FunctionName } from '../topology.ts';
import { DEFAULT_RUNTIME, type NodeRuntime } from './nodeRuntime.ts';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Some dependencies are CommonJS and require Node's own modules, but an ES module has no `require`. */
const REQUIRE_BANNER = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const TARGETS: Readonly<Record<NodeRuntime, string>> = { 'nodejs24.x': 'node24', 'nodejs22.x': 'node22' };

/**
 * Bundles a function's entry into `directory` in the form that Lambda runs: minified ES modules with source maps, where `index.mjs` exports `handler`. The same
 * sources give the same bytes in any directory, so a deployment updates only functions that have changed. If `DRIFTLESS_KEPT_BUNDLES` names a directory, each
 * function is bundled only once and kept there; its owner removes it before the sources change. Throws esbuild's errors.
 */
export function bundleFunction(name: FunctionName, directory: string, runtime: NodeRuntime = DEFAULT_RUNTIME): void {
  const keptBundles = process.env['DRIFTLESS_KEPT_BUNDLES'];
  if (!keptBundles) return bundleEntry(functionEntry(name), name, directory, runtime);
  cpSync(keptBundle(keptBundles, name, runtime), directory, { recursive: true });
}

/** The directory of the kept bundle. Another process may bundle the same function meanwhile, so it takes its place whole. */
function keptBundle(keptBundles: string, name: FunctionName, runtime: NodeRuntime): string {
  const kept = join(keptBundles, `${name}-${runtime}`);
  if (existsSync(kept)) return kept;
  const directory = mkdtempSync(join(keptBundles, 'new-'));
  bundleEntry(functionEntry(name), name, directory, runtime);
  try {
    renameSync(directory, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
    rmSync(directory, { recursive: true });
  }
  return kept;
}

/** Bundles any entry as `bundleFunction` does; `name` distinguishes it from other bundles. */
export function bundleEntry(
  entry: string,
  name: string,
  directory: string,
  runtime: NodeRuntime = DEFAULT_RUNTIME,
): void {
  // Source maps hold relative paths, so the output is made for a fixed path and then written to `directory`.
  const nominal = join(ROOT, 'dist', name);
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: nominal,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    // A module that is imported on demand (the documentation of `kubectl explain`) then costs nothing at a cold start.
    splitting: true,
    platform: 'node',
    target: TARGETS[runtime],
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: REQUIRE_BANNER },
    logLevel: 'silent',
  });
  for (const file of outputFiles) write(file, join(directory, relative(nominal, file.path)));
}

/** The path of a function's entry. */
export function functionEntry(name: FunctionName): string {
  return join(ROOT, 'lambdas', 'functions', name, 'index.ts');
}

function write({ contents }: OutputFile, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
