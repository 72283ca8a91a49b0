import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { changeLogCursorContract } from './changeLogCursorContract.ts';
import { changeLogHistoryContract } from './changeLogHistoryContract.ts';
import { changeLogLargeContract } from './changeLogLargeContract.ts';
import type { ObjectStoreHarness } from './objectStoreContract.ts';

export interface ChangeLogHarness extends ObjectStoreHarness {
  /** Writes so much to this resource, or to its log, that all changes made so far are gone from the log. */
  readonly loseHistory: (resource: string) => Promise<void>;
}

/** Declares a test with its own store and log, and a signal that ends its waits if the test hangs. */
export type PromiseOfLog = (
  title: string,
  run: (harness: ChangeLogHarness & { readonly signal: AbortSignal }) => Promise<void>,
) => void;

/** Declares the tests that every ChangeLog over an ObjectStore passes. `open` opens an empty store. */
export function changeLogContract(name: string, open: () => Promise<ChangeLogHarness>): void {
  const promise: PromiseOfLog = (title, run) =>
    test(title, async () => {
      const harness = await open();
      try {
        const signal = AbortSignal.timeout(60_000);
        setMaxListeners(100, signal);
        await run({ ...harness, signal });
        expect.hasAssertions();
      } finally {
        await harness.close();
      }
    });

  describe(name, () => {
    describe('cursors', () => changeLogCursorContract(promise));
    describe('large objects', () => changeLogLargeContract(promise));
    describe('history', () => changeLogHistoryContract(promise));
  });
}
