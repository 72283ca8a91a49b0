import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type OutputFile } from 'esbuild';
import type { FunctionName } from '../topology.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Some dependencies are CommonJS and require Node's own modules, for which an ES module has no `require`. */
const REQUIRE_BANNER = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Bundles a function's entry into `directory`, as Lambda takes it: minified ES modules with source maps, `index.mjs` exporting `handler`. The same sources make the
 * same bytes, wherever the directory is, so that a deployment updates only what has changed. Throws what esbuild finds wrong.
 */
export function bundleFunction(name: FunctionName, directory: string, target: 'node22' | 'node24'): void {
  // Source maps hold relative paths, so they are made for a fixed place and written to another.
  const nominal = join(ROOT, 'dist', name);
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: functionEntry(name) },
    outdir: nominal,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    // What is imported only when it is needed (the documentation of `kubectl explain`) stays out of a cold start.
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

/** The source that a function's bundle begins at. */
export function functionEntry(name: FunctionName): string {
  return join(ROOT, 'lambdas', 'functions', name, 'index.ts');
}

function write({ contents }: OutputFile, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
