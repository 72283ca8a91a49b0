import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Journal } from '../../lambdas/adapters/embedded/Journal.ts';
import { LmdbJournal } from '../../lambdas/adapters/embedded/LmdbJournal.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import { opened } from './changeLogReading.ts';
import { changed, keyOf, owner, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

const MAPS = 'configmaps';
const DAY_MS = 24 * 60 * 60 * 1000;
const RETAINED_CHANGES = 20;
const TRIM_AT_COUNT = 30;

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function lmdbJournals(): Promise<() => Journal> {
  const directory = await mkdtemp(join(tmpdir(), 'driftless-reopen-'));
  directories.push(directory);
  return () => LmdbJournal.open(directory);
}

async function memoryJournals(): Promise<() => Journal> {
  const journal = new MemoryJournal();
  return () => journal;
}

async function changesAfter(store: EmbeddedStore, version: number) {
  const cursor = await opened(store.changeLog, MAPS, version, AbortSignal.timeout(5_000));
  const all: Change[] = [];
  for (;;) {
    const changes = await cursor.next(AbortSignal.abort());
    if (changes === 'expired') return changes;
    if (changes.length === 0) return all;
    all.push(...changes);
  }
}

/** Changes one object so often that the log has lost all earlier changes, and the journal is trimmed. */
async function churn(store: EmbeddedStore, times: number) {
  let object = await stored(store.objectStore, MAPS, sample(`churned-${times}`));
  for (let n = 0; n < times; n += 1) object = await changed(store.objectStore, MAPS, object, `${n}`);
  return object;
}

describe.each([
  ['on LMDB', lmdbJournals],
  ['in memory', memoryJournals],
])('a store %s that is closed and opened again', (_, journals) => {
  async function openInTurn(
    ...uses: ((store: EmbeddedStore, clock: VirtualClock, journal: Journal) => Promise<void>)[]
  ): Promise<void> {
    const clock = new VirtualClock(0);
    const open = await journals();
    for (const use of uses) {
      const journal = open();
      const options = { retainedChanges: RETAINED_CHANGES, trimAtCount: TRIM_AT_COUNT };
      const store = openEmbeddedStore({ journal, clock, ...options });
      await use(store, clock, journal);
      await store.close();
    }
  }

  test('has its objects, their order and their indexes', async () => {
    let before: unknown;
    const index = { name: 'controller', value: 'web' } as const;
    const read = async ({ objectStore }: EmbeddedStore) => [
      await objectStore.list(MAPS),
      await objectStore.list(MAPS, { index }),
      await objectStore.list('secrets'),
    ];
    await openInTurn(
      async (store) => {
        const ownerReferences = [owner('web', true)];
        for (const name of ['c', 'a', 'b']) {
          const object = await stored(store.objectStore, MAPS, sample(name, { ownerReferences }));
          await changed(store.objectStore, MAPS, object, JSON.parse('"\\u0000 \\ud800 ä"') as string);
        }
        await removed(store.objectStore, MAPS, sample('b'));
        await stored(store.objectStore, 'secrets', sample('secret'));
        before = await read(store);
      },
      async (store) => expect(await read(store)).toEqual(before),
    );
  });

  test('has the changes of its log, with the objects before and after', async () => {
    let before: unknown;
    await openInTurn(
      async (store) => {
        const first = await stored(store.objectStore, MAPS, sample('a'));
        await removed(store.objectStore, MAPS, await changed(store.objectStore, MAPS, first, 'second'));
        await stored(store.objectStore, MAPS, sample('a', { uid: 'two' }));
        before = await changesAfter(store, 0);
        expect(before).toHaveLength(4);
      },
      async (store) => expect(await changesAfter(store, 0)).toEqual(before),
    );
  });

  test('refuses the removed and burned UIDs for a day', async () => {
    const gone = sample('gone');
    const burned = sample('burned');
    await openInTurn(
      async ({ objectStore }, clock) => {
        await removed(objectStore, MAPS, await stored(objectStore, MAPS, gone));
        await objectStore.burn(keyOf(MAPS, burned), burned.metadata.uid);
        clock.advanceBy(DAY_MS - 1);
      },
      async ({ objectStore }, clock) => {
        for (const object of [gone, burned]) {
          expect(await objectStore.create(MAPS, object)).toEqual({ status: 'exists' });
        }
        clock.advanceBy(1);
        for (const object of [gone, burned]) await stored(objectStore, MAPS, object);
      },
    );
  });

  test('continues its versions even if the newest belonged to a burn whose tombstone has expired', async () => {
    let newest = 0;
    await openInTurn(
      async (store, clock) => {
        newest = versionOf(await churn(store, 100));
        for (let n = 0; n < 2 * TRIM_AT_COUNT; n += 1) {
          await store.objectStore.burn({ resource: MAPS, namespace: 'default', name: 'burned' }, `${n}`);
        }
        clock.advanceBy(DAY_MS);
      },
      async () => {},
      async (store, _clock, journal) => {
        expect([...journal.entries()].filter(({ type }) => type === 'BURNED')).toHaveLength(1);
        const next = await stored(store.objectStore, MAPS, sample('next'));
        expect(versionOf(next)).toBe(newest + 2 * TRIM_AT_COUNT + 1);
      },
    );
  });

  test('continues its versions if the newest belonged to a deletion long ago', async () => {
    let deletion = 0;
    await openInTurn(
      async (store, clock) => {
        const object = await churn(store, 100);
        deletion = versionOf(await removed(store.objectStore, MAPS, object));
        clock.advanceBy(2 * DAY_MS);
      },
      async () => {},
      async (store) => {
        expect(await store.changeLog.head(MAPS)).toBe(deletion);
        expect(versionOf(await stored(store.objectStore, MAPS, sample('next')))).toBe(deletion + 1);
      },
    );
  });

  test('keeps expired versions expired', async () => {
    let head = 0;
    const signal = AbortSignal.abort();
    await openInTurn(
      async (store) => {
        await churn(store, 100);
        head = await store.changeLog.head(MAPS);
      },
      async ({ changeLog }) => {
        expect(await changeLog.open(MAPS, 0, signal)).toEqual({ status: 'expired' });
        expect(await changeLog.open(MAPS, head - 2 * RETAINED_CHANGES, signal)).toEqual({ status: 'expired' });
        expect(await changeLog.open(MAPS, head - RETAINED_CHANGES, signal)).toMatchObject({ status: 'open' });
      },
    );
  });

  test('has removed from its journal only the obsolete entries', async () => {
    let kept: unknown;
    const standing = sample('standing');
    await openInTurn(
      async (store, clock) => {
        await stored(store.objectStore, MAPS, standing);
        for (let n = 0; n < 50; n += 1) {
          const object = await stored(store.objectStore, MAPS, sample('comes-and-goes', { uid: `${n}` }));
          await removed(store.objectStore, MAPS, object);
          await store.objectStore.burn({ resource: MAPS, namespace: 'default', name: 'burned' }, `${n}`);
        }
        clock.advanceBy(DAY_MS);
        await churn(store, 100);
        kept = await changesAfter(store, (await store.changeLog.head(MAPS)) - RETAINED_CHANGES);
      },
      async (store, _clock, journal) => {
        expect(await changesAfter(store, (await store.changeLog.head(MAPS)) - RETAINED_CHANGES)).toEqual(kept);
        expect((await store.objectStore.list(MAPS)).items.map(({ metadata }) => metadata.name)).toEqual([
          'churned-100',
          'standing',
        ]);
        // Besides the log and the objects, at most twice the entries of one trim are left.
        expect([...journal.entries()].length).toBeLessThan(2 * TRIM_AT_COUNT + 2 * RETAINED_CHANGES);
      },
    );
  });
});

test('a journal in long use holds only its log, its objects and the entries that wait for the next trim', async () => {
  const journal = new MemoryJournal();
  const store = openEmbeddedStore({
    journal,
    clock: new VirtualClock(0),
    retainedChanges: RETAINED_CHANGES,
    trimAtCount: TRIM_AT_COUNT,
  });
  for (let round = 1; round <= 5; round += 1) {
    await churn(store, 500 + round);
    expect([...journal.entries()].length).toBeLessThan(TRIM_AT_COUNT + 2 * RETAINED_CHANGES + 2 * round);
  }
  await store.close();
});
