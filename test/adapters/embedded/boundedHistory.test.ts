import { existsSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { compactJournal } from '../../../lambdas/adapters/embedded/compactJournal.ts';
import { explainWriteError } from '../../../lambdas/adapters/embedded/explainWriteError.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { opened } from '../../contracts/changeLogReading.ts';
import { changed, removed, sample, stored, versionOf } from '../../contracts/objectStoreSamples.ts';
import {
  fillJournal,
  flipByte,
  journalFile,
  newDirectory,
  openStore,
  readObjects,
  removeDirectories,
} from './journalFiles.ts';

const OBJECT_BYTES = 100_000;
const LIMITS = { retainedBytes: 20 * OBJECT_BYTES, trimAtBytes: 10 * OBJECT_BYTES };
const EXPIRED = { status: 'expired' };

afterEach(removeDirectories);

/** Creates a large object and replaces it so many times. Returns its versions. */
async function rewrite(objectStore: ObjectStore, name: string, times: number): Promise<readonly number[]> {
  let object = await stored(objectStore, 'configmaps', sample(name, { text: 'x'.repeat(OBJECT_BYTES) }));
  const versions = [versionOf(object)];
  for (let time = 0; time < times; time += 1) {
    object = await changed(objectStore, 'configmaps', object, `${time}`.padEnd(OBJECT_BYTES, 'x'));
    versions.push(versionOf(object));
  }
  return versions;
}

function sizeOf(directory: string): number {
  return statSync(journalFile(directory)).size;
}

describe('a large object that is written again and again', () => {
  test('leaves as many changes in the log as the budget of bytes allows, and expires the earlier ones', async () => {
    const store = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0), ...LIMITS });
    const versions = await rewrite(store.objectStore, 'large', 60);
    const signal = AbortSignal.abort();
    expect(await store.changeLog.open('configmaps', versions.at(-40) ?? 0, signal)).toEqual(EXPIRED);
    const cursor = await opened(store.changeLog, 'configmaps', versions.at(-15) ?? 0, signal);
    expect(await cursor.next(signal)).toHaveLength(14);
    await store.close();
  });

  test('leaves the history of small objects in the log of another resource', async () => {
    const store = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0), ...LIMITS });
    const small = await stored(store.objectStore, 'secrets', sample('small'));
    await changed(store.objectStore, 'secrets', small, 'second');
    await rewrite(store.objectStore, 'large', 60);
    const signal = AbortSignal.abort();
    const cursor = await opened(store.changeLog, 'secrets', versionOf(small), signal);
    expect(await cursor.next(signal)).toHaveLength(1);
    await store.close();
  });

  test('is charged to the log until its deletion has left it, too', async () => {
    const journal = new MemoryJournal();
    const store = openEmbeddedStore({ journal, clock: new VirtualClock(0), ...LIMITS });
    const text = 'x'.repeat(OBJECT_BYTES);
    for (let n = 0; n < 60; n += 1) await stored(store.objectStore, 'configmaps', sample(`large-${n}`, { text }));
    for (let n = 0; n < 60; n += 1) await removed(store.objectStore, 'configmaps', sample(`large-${n}`));
    const held = [...journal.entries()].filter(({ type }) => type === 'PUT');
    expect(held.length).toBeLessThanOrEqual(20 + 2 + 10);
    await store.close();
  });

  test('leaves a journal whose file stays within the budgets, also after a restart', { timeout: 60_000 }, async () => {
    const directory = await newDirectory();
    for (const name of ['first', 'second']) {
      const store = openStore(directory, LIMITS);
      await rewrite(store.objectStore, name, 150);
      await store.close();
      // The log holds 22 objects at most, 10 wait for the next trim, and LMDB keeps the pages of the last transactions.
      expect(sizeOf(directory)).toBeLessThan(70 * OBJECT_BYTES);
    }
  });
});

describe('the compaction of a journal', () => {
  /** A journal whose history has been trimmed, so that most of its file is free. */
  async function mostlyFree(): Promise<string> {
    const directory = await newDirectory();
    await fillJournal(directory, 5);
    const store = openStore(directory, { ...LIMITS, retainedBytes: 40 * OBJECT_BYTES });
    await rewrite(store.objectStore, 'large', 40);
    await store.close();
    const trimmed = openStore(directory, { ...LIMITS, retainedBytes: 0 });
    await trimmed.close();
    return directory;
  }

  test('makes the file as small as its records, and keeps every object', async () => {
    const directory = await mostlyFree();
    const objects = await readObjects(directory);
    const before = sizeOf(directory);
    // The new file has not been checked.
    expect(await compactJournal(`${directory}/journal`, 0)).toBe(false);
    expect(sizeOf(directory)).toBeLessThan(before / 4);
    expect(await readObjects(directory)).toBe(objects);
    const store = openStore(directory);
    await stored(store.objectStore, 'configmaps', sample('written-after'));
    await store.close();
    expect(JSON.parse(await readObjects(directory))).toHaveLength(7);
  });

  test('leaves a file alone that is small or mostly in use', async () => {
    const directory = await mostlyFree();
    const before = sizeOf(directory);
    // A small file is not even checked.
    expect(await compactJournal(`${directory}/journal`)).toBe(false);
    expect(sizeOf(directory)).toBe(before);
    const full = await newDirectory();
    const store = openStore(full);
    const text = 'x'.repeat(OBJECT_BYTES);
    for (let n = 0; n < 20; n += 1) await stored(store.objectStore, 'configmaps', sample(`large-${n}`, { text }));
    await store.close();
    const { ino } = statSync(journalFile(full));
    expect(await compactJournal(`${full}/journal`, 0)).toBe(true);
    expect(statSync(journalFile(full)).ino).toBe(ino);
  });

  test('removes what an interrupted one left, and does not touch a damaged journal', async () => {
    const directory = await mostlyFree();
    writeFileSync(`${directory}/journal/compacting.mdb`, 'half a copy');
    await compactJournal(`${directory}/journal`);
    expect(existsSync(`${directory}/journal/compacting.mdb`)).toBe(false);
    const { size } = statSync(journalFile(directory));
    flipByte(journalFile(directory), 4096 + 24, 1);
    await expect(compactJournal(`${directory}/journal`, 0)).rejects.toThrow(/is damaged|is not an LMDB database/);
    expect(sizeOf(directory)).toBe(size);
  });
});

describe('a write that fails', () => {
  const error = new Error('Input/output error\n(code 5)');

  test('says that the disk is full if it is', () => {
    expect(explainWriteError('/data', error, () => 4096).message).toBe(
      'no space is left on the disk that holds /data; free some and start again',
    );
  });

  test('otherwise says in one line what the system reports', () => {
    expect(explainWriteError('/data', error, () => 2 ** 30)).toMatchObject({
      message: 'writing in /data failed: Input/output error',
      cause: error,
    });
  });
});
