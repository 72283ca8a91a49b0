import { describe, expect, test } from 'vitest';
import type { ChangeLog } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import { objectStoreLargeContract } from './objectStoreLargeContract.ts';
import { objectStoreListContract } from './objectStoreListContract.ts';
import { objectStoreModelContract } from './objectStoreModelContract.ts';
import { objectStoreTombstoneContract } from './objectStoreTombstoneContract.ts';
import { objectStoreWriteContract } from './objectStoreWriteContract.ts';

export interface ObjectStoreHarness {
  readonly objectStore: ObjectStore;
  /** The log of this store's changes. */
  readonly changeLog: ChangeLog;
  close(): Promise<void>;
}

/** Declares a test with its own store. */
export type PromiseOfStore = (title: string, run: (harness: ObjectStoreHarness) => Promise<void>) => void;

/** Declares the tests that every ObjectStore passes. `open` opens an empty store. */
export function objectStoreContract(name: string, open: () => Promise<ObjectStoreHarness>): void {
  const promise: PromiseOfStore = (title, run) =>
    test(title, async () => {
      const harness = await open();
      try {
        await run(harness);
        expect.hasAssertions();
      } finally {
        await harness.close();
      }
    });

  describe(name, () => {
    describe('writes', () => objectStoreWriteContract(promise));
    describe('removed and burned UIDs', () => objectStoreTombstoneContract(promise));
    describe('lists', () => objectStoreListContract(promise));
    describe('large objects', () => objectStoreLargeContract(promise));
    describe('against a model', () => objectStoreModelContract(promise));
  });
}
