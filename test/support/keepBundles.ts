import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleNotes, misfitsIn } from './answers/noteInProcess.ts';
import { endSharedServers } from './sharedServer.ts';

const VARIABLE = 'DRIFTLESS_KEPT_BUNDLES';

/**
 * Lets all servers and emulated clouds that tests start share the bundles of the sources. While somebody edits the sources, each start bundles them anew. Each project calls this: the first makes the directory and removes it,
 * and the first that ends, ends the servers that tests share. What these have answered is judged at the end.
 */
export default async function keepBundles({ config }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (config.watch) return undefined;
  const given = process.env[VARIABLE];
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'driftless-bundles-')));
  process.env[VARIABLE] = directory;
  if (given === undefined) await bundleNotes(directory);
  return async () => {
    if (existsSync(directory)) await endSharedServers(directory);
    if (given !== undefined) return;
    const misfits = await readFile(misfitsIn(directory), 'utf8').catch(() => '');
    await rm(directory, { recursive: true, force: true });
    if (misfits === '') return;
    // Vitest reports an error of a teardown, and succeeds.
    process.exitCode = 1;
    throw new Error(`answers of servers differ from what Kubernetes publishes:\n${misfits}`);
  };
}
