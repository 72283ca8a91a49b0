import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFunction } from '../../infra/cdk/bundleFunction.ts';
import { FUNCTIONS } from '../../infra/topology.ts';

describe('the bundles', () => {
  it.each(Object.values(FUNCTIONS))('of $name contain no code of the embedded store', async ({ name }) => {
    const directory = await mkdtemp(join(tmpdir(), 'driftless-bundle-'));
    try {
      bundleFunction(name, directory);
      const maps = readdirSync(directory).filter((file) => file.endsWith('.map'));
      const sources = maps.flatMap(
        (file) => (JSON.parse(readFileSync(join(directory, file), 'utf8')) as { sources: string[] }).sources,
      );
      expect(sources).not.toEqual([]);
      expect(sources.filter((source) => /node_modules\/lmdb|\/(?:Embedded|Lmdb)\w+\.ts$/.test(source))).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
