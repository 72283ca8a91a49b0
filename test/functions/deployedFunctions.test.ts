import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bundleFunction } from '../../infra/cdk/bundleFunction.ts';
import { FUNCTIONS } from '../../infra/topology.ts';
import { parseConfigText } from '../../lambdas/functions/parseConfig.ts';
import { BundledFunctions } from '../support/BundledFunctions.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a function that was not deployed by the stack', () => {
  it('names the missing variables and does not start', async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('DRIFTLESS_')) vi.stubEnv(name, undefined);
    const bundles = await BundledFunctions.open();
    try {
      await expect(bundles.load('authorize')).rejects.toThrow(
        'authorize: the environment lacks DRIFTLESS_CLUSTER_ID, DRIFTLESS_PARTITION, DRIFTLESS_IDENTITIES',
      );
    } finally {
      await bundles.close();
    }
  });

  it.each([
    { text: 'nonsense', message: 'config: must be JSON, not nonsense' },
    { text: '{"controllers":{"deployment":{"enabled":"yes"}}}', message: 'config controllers.deployment.enabled' },
  ])('names the error in its configuration: $text', ({ text, message }) => {
    expect(() => parseConfigText(text)).toThrow(message);
  });
});

describe('the bundles', () => {
  it.each(Object.values(FUNCTIONS))('of $name contain no code of the embedded store', async ({ name }) => {
    const directory = await mkdtemp(join(tmpdir(), 'driftless-bundle-'));
    try {
      bundleFunction(name, directory, 'node22');
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
