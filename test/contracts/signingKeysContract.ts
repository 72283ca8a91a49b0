import { describe, expect, test } from 'vitest';
import type { SigningKeys } from '../../lambdas/ports/SigningKeys.ts';

/** Declares the tests that every SigningKeys passes. `open` opens a place without a key; `reopen` opens it again, as after a restart. */
export function signingKeysContract(
  name: string,
  open: () => Promise<{
    readonly keys: SigningKeys;
    readonly reopen: () => SigningKeys;
    readonly close: () => Promise<void>;
  }>,
): void {
  describe(name, () => {
    test('holds no key at first', async () => {
      const { keys, close } = await open();
      expect(await keys.read()).toBeUndefined();
      await close();
    });

    test('keeps the first key, and gives it to those who made another at the same time', async () => {
      const { keys, reopen, close } = await open();
      const [first, second] = await Promise.all([keys.keep('one'), reopen().keep('two')]);
      expect(second).toBe(first);
      expect(await keys.keep('three')).toBe(first);
      await close();
    });

    test('reads the kept key after a restart', async () => {
      const { keys, reopen, close } = await open();
      await keys.keep('one');
      expect(await reopen().read()).toBe('one');
      await close();
    });
  });
}
