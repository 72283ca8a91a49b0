import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endSharedServers } from './sharedServer.ts';

/** Lets all servers and emulated clouds that tests start share the bundles of the sources. While somebody edits the sources, each start bundles them anew. */
export default async function keepBundles({ config }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Each project calls this.
  if (config.watch || process.env['DRIFTLESS_KEPT_BUNDLES']) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'driftless-bundles-'));
  process.env['DRIFTLESS_KEPT_BUNDLES'] = directory;
  return async () => {
    await endSharedServers(directory);
    await rm(directory, { recursive: true, force: true });
  };
}
