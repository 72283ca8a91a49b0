import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Lets the emulated clouds of all files share the stacks that they deploy. While somebody edits the sources, each file bundles them anew. */
export default async function keepStacks({ config }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (config.watch) return undefined;
  const directory = await mkdtemp(join(tmpdir(), 'driftless-stacks-'));
  process.env['DRIFTLESS_KEPT_STACKS'] = directory;
  return () => rm(directory, { recursive: true, force: true });
}
