import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type OutputFile } from 'esbuild';
import type { FunctionName } from '../topology.ts';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Some dependencies are CommonJS and require Node's own modules, but an ES module has no `require`. */
const REQUIRE_BANNER = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Bundles a function's entry into `directory` in the form that Lambda runs: minified ES modules with source maps, where `index.mjs` exports `handler`. The same
 * sources give the same bytes in any directory, so a deployment updates only functions that have changed. Throws esbuild's errors.
 */
export function bundleFunction(name: FunctionName, directory: string, target: 'node22' | 'node24'): void {
  bundleEntry(functionEntry(name), name, directory, target);
}

/** Bundles any entry as `bundleFunction` does; `name` distinguishes it from other bundles. */
export function bundleEntry(entry: string, name: string, directory: string, target: 'node22' | 'node24'): void {
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
    target,
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
