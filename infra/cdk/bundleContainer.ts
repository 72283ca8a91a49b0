import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleEntry, ROOT } from './bundleFunction.ts';

const DOCKERFILE = fileURLToPath(new URL('container/Dockerfile', import.meta.url));

/** Writes the build context of the API's image into `directory`: the Dockerfile and the bundled application, whose entry is `index.mjs`. Throws esbuild's errors. */
export function bundleContainer(directory: string): void {
  mkdirSync(directory, { recursive: true });
  copyFileSync(DOCKERFILE, join(directory, 'Dockerfile'));
  bundleEntry(join(ROOT, 'lambdas', 'functions', 'api', 'container.ts'), 'container', directory);
}

/** Calls `use` with a directory that holds the build context, and removes it. Without `isBundled` it holds only the Dockerfile, for tests of the template. */
export function withBuildContext<T>(isBundled: boolean, use: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'driftless-container-'));
  try {
    if (isBundled) bundleContainer(directory);
    else copyFileSync(DOCKERFILE, join(directory, 'Dockerfile'));
    return use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
