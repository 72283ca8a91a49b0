import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { LmdbJournal } from '../../../lambdas/adapters/embedded/LmdbJournal.ts';
import { type EmbeddedStoreOptions, openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { changed, sample, stored } from '../../contracts/objectStoreSamples.ts';

const directories: string[] = [];

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-embedded-'));
  directories.push(directory);
  return directory;
}

export async function removeDirectories(): Promise<void> {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
}

export function journalFile(directory: string): string {
  return join(directory, 'journal', 'data.mdb');
}

export function openStore(directory: string, options: Partial<EmbeddedStoreOptions> = {}) {
  return openEmbeddedStore({ journal: LmdbJournal.open(directory), clock: new VirtualClock(0), ...options });
}

/** Writes `count` config maps of 10 B to 8 kB, each of them `times` times, so that the journal has small and large values, two levels of pages, and free pages. */
export async function fillJournal(directory: string, count: number, times = 3): Promise<void> {
  const store = openStore(directory, { retainedChanges: 20, trimAtCount: 15 });
  for (let n = 0; n < count; n += 1) {
    let object = await stored(store.objectStore, 'configmaps', sample(`map-${n}`));
    for (let time = 1; time < times; time += 1) {
      const text = `${time} `.repeat(5 + ((n * 37 + time * 911) % 4000));
      object = await changed(store.objectStore, 'configmaps', object, text);
    }
  }
  await store.close();
}

/** Reads the config maps as JSON, the text that identifies a journal's state. Throws the error of the opening. */
export async function readObjects(directory: string): Promise<string> {
  const journal = LmdbJournal.open(directory);
  try {
    const { objectStore } = openEmbeddedStore({ journal, clock: new VirtualClock(0), trimAtCount: 100_000 });
    return JSON.stringify((await objectStore.list('configmaps')).items);
  } finally {
    await journal.close();
  }
}

/** Changes the bits of one byte that `mask` holds. */
export function flipByte(path: string, position: number, mask: number): void {
  const bytes = readFileSync(path);
  bytes[position] = (bytes[position] ?? 0) ^ mask;
  writeFileSync(path, bytes);
}
