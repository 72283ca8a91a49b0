import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const MODULE = 'noteAnswers.cjs';

/** The file in which servers note what differs in their answers. `directory`: that of the kept bundles. */
export function misfitsIn(directory: string): string {
  return join(directory, 'misfits.txt');
}

/** Makes what a server loads to note its answers: one file, since a server has no loader for TypeScript. */
export async function bundleNotes(directory: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('noteAnswers.ts', import.meta.url))],
    outfile: join(directory, MODULE),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // The published types lie beside the sources.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    logLevel: 'error',
  });
}

/** The environment in which a process of Node notes what differs in the API's answers; empty where nobody has asked for it. */
export function notingEnvironment(): Readonly<Record<string, string>> {
  const directory = process.env['DRIFTLESS_KEPT_BUNDLES'] ?? '';
  const path = join(directory, MODULE);
  if (directory === '' || !existsSync(path)) return {};
  const options = [process.env['NODE_OPTIONS'], `--require ${path}`].filter(Boolean).join(' ');
  return { NODE_OPTIONS: options, DRIFTLESS_ANSWER_MISFITS: misfitsIn(directory) };
}
