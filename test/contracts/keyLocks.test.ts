import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataDirectoryError } from '../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { EmbeddedKeyLocks } from '../../lambdas/adapters/embedded/EmbeddedKeyLocks.ts';
import { LmdbKeyItemStorage } from '../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import { keyLocksContract } from './keyLocksContract.ts';

const T = Date.UTC(2026, 0, 1);
const WEB: WorkKey = { controller: 'replicaset', namespace: 'default', name: 'web' };
const INTENT = { id: 'i1', ownerUid: 'u1', count: 3, deletes: [] };
const directories: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-keylocks-'));
  directories.push(directory);
  return directory;
}

/** The directory of a process that ended while it held the lock of a key with an intent. */
async function directoryWithIntent(): Promise<string> {
  const directory = await newDirectory();
  const locks = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  await locks.acquire(WEB, 'dead', T, T + 45_000);
  await locks.recordIntent(WEB, 'dead', INTENT);
  await locks.close();
  return directory;
}

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true });
});

keyLocksContract('EmbeddedKeyLocks in memory', async () => ({ locks: new EmbeddedKeyLocks(), close: async () => {} }));

keyLocksContract('EmbeddedKeyLocks on LMDB', async () => {
  const locks = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(await newDirectory()));
  return { locks, close: () => locks.close() };
});

test('after a restart the intent is still there and the lock of its holder is not', async () => {
  const directory = await directoryWithIntent();
  const after = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  expect(await after.acquire(WEB, 'b', T + 1, T + 45_001)).toEqual({
    status: 'acquired',
    item: { failures: 0, intent: INTENT },
  });
  await after.release(WEB, 'b', { failures: 0 });
  await after.close();

  const last = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  expect(await last.peek(WEB)).toBeUndefined();
  await last.close();
});

test('after a restart nothing is left of the times of a process whose clock may have been ahead', async () => {
  const directory = await newDirectory();
  const before = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  const aheadMs = T + 7_200_000;
  await before.acquire(WEB, 'a', aheadMs, aheadMs + 45_000);
  await before.release(WEB, 'a', { failures: 2, syncedFromMs: aheadMs, wakeAtMs: aheadMs + 60_000 });
  await before.acquire(WEB, 'dead', aheadMs, aheadMs + 45_000);
  await before.recordIntent(WEB, 'dead', INTENT);
  await before.close();

  const after = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  const acquired = await after.acquire(WEB, 'b', T, T + 45_000);
  expect(acquired).toEqual({ status: 'acquired', item: { failures: 0, intent: INTENT } });
  await after.close();
});

test('after a restart a key with an intent is overdue until it is synced, since its object may be gone, and then no list names it', async () => {
  const directory = await directoryWithIntent();
  const after = new EmbeddedKeyLocks(LmdbKeyItemStorage.open(directory));
  expect(await after.overdue(T, 10)).toEqual([WEB]);
  await after.acquire(WEB, 'b', T, T + 45_000);
  await after.recordIntent(WEB, 'b', undefined);
  await after.release(WEB, 'b', { failures: 0, syncedFromMs: T });
  expect(await after.overdue(T + 1_000_000, 10)).toEqual([]);
  await after.close();
});

test('a file in the place of the database is refused with one clear error', async () => {
  const directory = await newDirectory();
  await mkdir(join(directory, 'keys'));
  await writeFile(join(directory, 'keys', 'data.mdb'), 'not a database'.repeat(1000));
  expect(() => LmdbKeyItemStorage.open(directory)).toThrow(DataDirectoryError);
  expect(() => LmdbKeyItemStorage.open(directory)).toThrow(/is not an LMDB database/);
});

test('empty items are deleted once they are too old to satisfy any message', async () => {
  const locks = new EmbeddedKeyLocks();
  for (const [name, nowMs] of [
    ['old', T],
    ['new', T + 2_000_000],
  ] as const) {
    await locks.acquire({ ...WEB, name }, 'a', nowMs, nowMs + 45_000);
    await locks.release({ ...WEB, name }, 'a', { failures: 0, syncedFromMs: nowMs });
  }
  expect(await locks.peek({ ...WEB, name: 'old' })).toBeUndefined();
  expect(await locks.peek({ ...WEB, name: 'new' })).toEqual({ failures: 0, syncedFromMs: T + 2_000_000 });
});
