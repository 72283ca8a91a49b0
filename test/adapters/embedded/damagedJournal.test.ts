import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open as openDatabase } from 'lmdb';
import { afterEach, describe, expect, test } from 'vitest';
import { addChecksum, crc32ByTable } from '../../../lambdas/adapters/embedded/checksum.ts';
import { DataDirectoryError } from '../../../lambdas/adapters/embedded/DataDirectoryError.ts';
import { LmdbKeyItemStorage } from '../../../lambdas/adapters/embedded/LmdbKeyItemStorage.ts';
import { salvageJournal } from '../../../lambdas/adapters/embedded/salvageJournal.ts';
import { sample, stored } from '../../contracts/objectStoreSamples.ts';
import {
  fillJournal,
  flipByte,
  journalFile,
  newDirectory,
  openStore,
  readObjects,
  removeDirectories,
} from './journalFiles.ts';

const OPEN_DAMAGED = fileURLToPath(new URL('./openDamagedJournals.ts', import.meta.url));
const META_BYTES = 168;
const PAGE_BYTES = 4096;
/** Size, flags and length of the key, the key, and the page of the text. */
const RECORD_HEAD_BYTES = 14;

afterEach(removeDirectories);

async function refusal(directory: string): Promise<string> {
  const error = await readObjects(directory).then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error).toBeInstanceOf(DataDirectoryError);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Opens a copy of the directory for each damage, in another process, and returns its lines. */
async function openDamaged(directory: string, damages: readonly (readonly [number, number])[]) {
  const copy = join(await newDirectory(), 'copy');
  const flags = ['--import', 'tsx', OPEN_DAMAGED, directory, copy, JSON.stringify(damages)];
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  expect({ signal, status, stderr }).toEqual({ signal: null, status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

describe('a truncated journal', () => {
  test('is refused with one line that says so, and how many objects can still be read', async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 30);
    const whole = statSync(journalFile(directory)).size;
    for (const pages of [4, 2]) {
      truncateSync(journalFile(directory), Math.floor(whole / PAGE_BYTES / pages) * PAGE_BYTES);
      expect(await refusal(directory)).toMatch(
        /^data directory .* cannot be used: .*journal\/data\.mdb is (truncated: it has \d+ bytes and needs \d+|damaged: .*); (\d+ objects can still be read: driftless export --salvage --data-dir|no object can be read)/,
      );
    }
  });

  test('is refused if it is empty and the directory was used before', async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 3);
    writeFileSync(journalFile(directory), '');
    expect(await refusal(directory)).toContain('journal/data.mdb is empty, but it has been written before');
  });

  test.each([
    ['empty', (file: string) => writeFileSync(file, '')],
    ['missing', (file: string) => rmSync(file)],
  ])('is refused if it is %s and an earlier release, which left no mark, used the directory', async (state, lose) => {
    const directory = await newDirectory();
    await fillJournal(directory, 3);
    await LmdbKeyItemStorage.open(directory).close();
    rmSync(join(directory, 'journal', 'initialized'));
    lose(journalFile(directory));
    expect(await refusal(directory)).toContain(`journal/data.mdb is ${state}, but the directory has been used before`);
  });
});

describe('a journal with one changed byte', () => {
  test('is refused or has its objects unchanged, wherever the byte is', { timeout: 120_000 }, async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 30);
    const { size } = statSync(journalFile(directory));
    const everywhere = Array.from(
      { length: 60 },
      (_, n) => [Math.floor((size / 60) * n + n * 7) % size, 1 + ((n * 29) % 255)] as const,
    );
    const metaPages = [0, PAGE_BYTES].flatMap((page) =>
      Array.from({ length: META_BYTES / 2 }, (_, n) => [page + 2 * n + (page === 0 ? 0 : 1), 1 << (n % 8)] as const),
    );
    const lines = await openDamaged(directory, [...everywhere, ...metaPages]);
    const refusals = lines.filter((line) => line.includes('DataDirectoryError: data directory '));
    expect(lines.filter((line) => !line.endsWith(' same') && !refusals.includes(line))).toEqual([]);
    expect(lines).toHaveLength(everywhere.length + metaPages.length);
    expect(refusals.length).toBeGreaterThan(30);
  });

  test('is refused with an error that says what can still be read, wherever the byte is in the head of a record', {
    timeout: 60_000,
  }, async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 3, 1);
    const file = journalFile(directory);
    const whole = readFileSync(file);
    for (const name of ['map-0', 'map-1']) {
      const textAt = whole.lastIndexOf('2:', whole.lastIndexOf(`uid-of-${name}`));
      for (let bit = 0; bit < 8 * RECORD_HEAD_BYTES; bit += 1) {
        writeFileSync(file, whole);
        flipByte(file, textAt - 1 - (bit >> 3), 1 << (bit & 7));
        const said = await readObjects(directory).then(
          () => 'nothing',
          (error: Error) => error.message,
        );
        expect(said, `${name} ${bit}`).toMatch(
          /^data directory .* cannot be used: .*; \d objects can still be read: [^\n]*$/,
        );
      }
    }
  });

  test('is refused with the version of the changed entry', async () => {
    const directory = await newDirectory();
    const store = openStore(directory);
    await stored(store.objectStore, 'configmaps', sample('map', { text: 'the text to change' }));
    await store.close();
    flipByte(journalFile(directory), readFileSync(journalFile(directory)).lastIndexOf('the text to change'), 1);
    expect(await refusal(directory)).toMatch(
      /entry \d+ of its journal is damaged: its checksum is wrong; no object can be read$/,
    );
  });
});

describe('the salvage of a journal', () => {
  test('finds every object of a whole journal, and no damage', async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 30);
    const { objects, ...rest } = salvageJournal(directory);
    const byName = (a: { metadata: { name: string } }, b: { metadata: { name: string } }) =>
      a.metadata.name < b.metadata.name ? -1 : 1;
    expect(JSON.stringify(objects.toSorted(byName))).toBe(await readObjects(directory));
    expect(rest).toEqual({ unreadableCount: 0, damage: undefined });
  });

  test('finds the other objects if one record is damaged, and counts it', async () => {
    const directory = await newDirectory();
    const store = openStore(directory);
    for (const name of ['a', 'b', 'c']) {
      await stored(store.objectStore, 'configmaps', sample(name, { text: `text of ${name}` }));
    }
    await store.close();
    flipByte(journalFile(directory), readFileSync(journalFile(directory)).lastIndexOf('text of b'), 1);
    const { objects, unreadableCount, damage } = salvageJournal(directory);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    expect(unreadableCount).toBe(1);
    expect(damage).toMatch(/entry \d+ of its journal is damaged: its checksum is wrong/);
  });

  test('finds every object by searching all pages if the meta pages are gone', async () => {
    const directory = await newDirectory();
    await fillJournal(directory, 30, 1);
    const bytes = readFileSync(journalFile(directory));
    writeFileSync(journalFile(directory), bytes.fill(0, 0, 2 * PAGE_BYTES));
    expect(salvageJournal(directory).objects).toHaveLength(30);
  });
});

describe('a record', () => {
  test('of a release without checksums is read, and gets one when it is next written', async () => {
    const directory = await newDirectory();
    const { resourceVersion: _, ...metadata } = sample('old').metadata;
    const object = { ...sample('old'), metadata: { ...metadata, resourceVersion: '1' } };
    const records = openDatabase<string, string | number>({ path: join(directory, 'journal'), encoding: 'string' });
    await records.put(
      1,
      JSON.stringify({ type: 'PUT', resource: 'configmaps', namespace: 'default', name: 'old', object }),
    );
    await records.put('format', '1');
    await records.put('floor:configmaps', '1');
    await records.close();
    const store = openStore(directory);
    expect((await store.objectStore.list('configmaps')).items).toEqual([object]);
    await stored(store.objectStore, 'configmaps', sample('new'));
    await store.close();
    const written = openDatabase<string, string | number>({ path: join(directory, 'journal'), encoding: 'string' });
    expect(written.get('format')).toBe('2');
    expect(written.get(2)).toMatch(/^2:[0-9a-f]{8}:\{"resource"/);
    await written.close();
    expect(JSON.parse(await readObjects(directory))).toHaveLength(2);
  });

  test('has the same checksum where Node has no CRC-32 of its own', () => {
    for (const text of ['', 'a', 'Grüße 🙂', 'x'.repeat(10_000)]) {
      const byTable = crc32ByTable(text, crc32ByTable('7:', 0)).toString(16).padStart(8, '0');
      expect(addChecksum(7, text)).toBe(`2:${byTable}:${text}`);
    }
  });
});
