import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Its packages are found from here. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

export interface WorkerBundle {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Bundles a module with all of ours that it imports into one file that plain Node runs. A module that `tsx` transforms names each function anew whenever one is made,
 * which costs a run of many seeds a third of its time.
 */
export async function bundleWorker(module: URL): Promise<WorkerBundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'simulation-'));
  const path = join(folder, 'worker.mjs');
  await build({
    entryPoints: [fileURLToPath(module)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
