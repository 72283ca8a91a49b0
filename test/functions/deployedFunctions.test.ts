import { afterEach, describe, expect, it, vi } from 'vitest';
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
