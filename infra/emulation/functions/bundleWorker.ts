import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bundles functionWorker into `directory`, so that an environment needs no loader of TypeScript; resolves to the file. */
export async function bundleWorker(directory: string): Promise<string> {
  const { build } = await import('esbuild');
  const outfile = join(directory, 'functionWorker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('functionWorker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  return outfile;
}
