import { describe, expect, test } from 'vitest';
import type { NewEntry } from '../../lambdas/adapters/embedded/Journal.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { opened } from './changeLogReading.ts';
import { changed, keyOf, removed, sample, stored } from './objectStoreSamples.ts';

const MAPS = 'configmaps';
const KEY = { resource: MAPS, namespace: 'default', name: 'a' };

/** A journal whose appends become durable or fail when the test decides. */
class HeldJournal extends MemoryJournal {
  readonly batchSizes: number[] = [];
  readonly #held: { readonly entries: readonly NewEntry[]; readonly end: (error?: Error) => void }[] = [];

  override append(entries: readonly NewEntry[]): Promise<void> {
    this.batchSizes.push(entries.length);
    return new Promise((resolve, reject) => {
      this.#held.push({ entries, end: (error) => (error ? reject(error) : resolve()) });
    });
  }

  async release(error?: Error): Promise<void> {
    await settled();
    const batch = this.#held.shift();
    if (batch && !error) await super.append(batch.entries);
    batch?.end(error);
    await settled();
  }
}

/** Waits until all pending promises have continued. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function open() {
  const journal = new HeldJournal();
  return { journal, ...openEmbeddedStore({ journal, clock: new VirtualClock(0) }) };
}

/** Says whether a promise has settled. */
function watched<T>(promise: Promise<T>) {
  const state = { isSettled: false, promise };
  const settle = () => {
    state.isSettled = true;
  };
  promise.then(settle, settle);
  return state;
}

describe('a write that is not durable yet', () => {
  test('is not acknowledged, not read, not listed, not logged and not streamed', async () => {
    const { journal, objectStore, changeLog, stream } = open();
    const signal = new AbortController().signal;
    const reader = stream.open();
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const creating = watched(objectStore.create(MAPS, sample('a')));
    const passing = watched(cursor.next(signal));
    const streaming = watched(reader.next(signal));
    await settled();
    expect([creating, passing, streaming].map(({ isSettled }) => isSettled)).toEqual([false, false, false]);
    expect(await objectStore.get(KEY)).toBeUndefined();
    expect(await objectStore.list(MAPS)).toEqual({ items: [], more: false });
    expect(await changeLog.head(MAPS)).toBe(1);

    await journal.release();
    expect([creating, passing, streaming].map(({ isSettled }) => isSettled)).toEqual([true, true, true]);
    expect(await streaming.promise).toEqual(await passing.promise);
    expect(await creating.promise).toEqual({ status: 'stored', object: await objectStore.get(KEY) });
  });

  test("is the state for the next write's decision, whose answer waits for it", async () => {
    const { journal, objectStore } = open();
    const outcomes = [
      objectStore.create(MAPS, sample('a', { uid: 'one' })),
      objectStore.create(MAPS, sample('a', { uid: 'two' })),
      objectStore.burn(KEY, 'three'),
      objectStore.remove(KEY, { uid: 'two' }),
      objectStore.remove(KEY, { uid: 'one' }),
      objectStore.create(MAPS, sample('a', { uid: 'one' })),
      objectStore.burn(KEY, 'two'),
      objectStore.create(MAPS, sample('a', { uid: 'two' })),
    ].map((outcome) => watched<{ readonly status: string }>(outcome));
    await settled();
    expect(outcomes.filter(({ isSettled }) => isSettled)).toEqual([]);
    await journal.release();
    await journal.release();
    const statuses = await Promise.all(outcomes.map(({ promise }) => promise));
    expect(statuses.map(({ status }) => status)).toEqual([
      'stored',
      'exists',
      'burned',
      'conflict',
      'removed',
      'exists',
      'burned',
      'exists',
    ]);
  });

  test('shares its flush with all writes made during the flush before', async () => {
    const { journal, objectStore } = open();
    const creating = Array.from({ length: 10 }, (_, n) => objectStore.create(MAPS, sample(`first-${n}`)));
    await settled();
    for (let n = 0; n < 20; n += 1) creating.push(objectStore.create(MAPS, sample(`second-${n}`)));
    await journal.release();
    await journal.release();
    await Promise.all(creating);
    expect(journal.batchSizes).toEqual([10, 20]);
  });
});

describe('a write that fails', () => {
  test('ends the store, and no later request succeeds', async () => {
    const { journal, objectStore, changeLog, stream, failed } = open();
    const signal = new AbortController().signal;
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const reader = stream.open();
    const waiting = [cursor.next(signal), reader.next(signal), changeLog.reached(MAPS, 5, signal)];
    const writes = [objectStore.create(MAPS, sample('a')), objectStore.create(MAPS, sample('b'))];
    await settled();
    const behind = objectStore.create(MAPS, sample('c'));
    const outcomes = Promise.allSettled([...writes, behind, ...waiting]);
    await journal.release(new Error('the disk is full'));

    for (const outcome of await outcomes) expect(outcome.status).toBe('rejected');
    expect((await failed).message).toBe('the embedded store could not write its journal');
    expect((await failed).cause).toMatchObject({ message: 'the disk is full' });
    for (const request of [
      () => objectStore.get(KEY),
      () => objectStore.list(MAPS),
      () => objectStore.create(MAPS, sample('d')),
      () => objectStore.replace(MAPS, sample('d')),
      () => objectStore.remove(KEY),
      () => objectStore.burn(KEY, 'one'),
      () => changeLog.head(MAPS),
      () => changeLog.open(MAPS, 0, signal),
      () => cursor.next(signal),
    ]) {
      await expect(request()).rejects.toThrow('the embedded store could not write its journal');
    }
    expect(journal.batchSizes).toEqual([2]);
  });
});

describe('a store that is closed', () => {
  test('first makes its writes durable, and ends its readers', async () => {
    const { journal, ...store } = open();
    const { objectStore, changeLog } = store;
    const cursor = await opened(changeLog, MAPS, 0, new AbortController().signal);
    const reading = cursor.next(new AbortController().signal);
    const creating = objectStore.create(MAPS, sample('a'));
    const outcomes = Promise.allSettled([reading, creating]);
    const closing = watched(store.close());
    await settled();
    expect(closing.isSettled).toBe(false);
    await expect(objectStore.create(MAPS, sample('b'))).rejects.toThrow('the embedded store is closed');
    await journal.release();
    await closing.promise;
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const reopened = openEmbeddedStore({ journal, clock: new VirtualClock(0) });
    expect((await reopened.objectStore.list(MAPS)).items).toHaveLength(1);
  });
});

describe('the stream', () => {
  test('returns the changes of all resources since it was opened, in the order of versions', async () => {
    const { objectStore, stream } = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0) });
    const signal = AbortSignal.timeout(5_000);
    await stored(objectStore, MAPS, sample('before'));
    const readers = [stream.open(), stream.open()];
    const map = await stored(objectStore, MAPS, sample('a'));
    const secret = await stored(objectStore, 'secrets', sample('s'));
    const second = await changed(objectStore, MAPS, map, 'second');
    await removed(objectStore, 'secrets', secret);
    for (const reader of readers) {
      const changes = await reader.next(signal);
      expect(changes.map(({ type, resource }) => `${type} ${resource}`)).toEqual([
        'ADDED configmaps',
        'ADDED secrets',
        'MODIFIED configmaps',
        'DELETED secrets',
      ]);
      expect(changes[2]).toMatchObject({ before: map, after: second });
    }
  });

  test('wakes a waiting reader, and ends the wait of a reader whose signal is aborted', async () => {
    const { objectStore, stream } = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0) });
    const stop = new AbortController();
    const reader = stream.open();
    const waiting = reader.next(stop.signal);
    const object = await stored(objectStore, MAPS, sample('a'));
    expect(await waiting).toEqual([expect.objectContaining({ after: object })]);
    const idle = reader.next(stop.signal);
    stop.abort();
    expect(await idle).toEqual([]);
    reader.close();
    await objectStore.remove(keyOf(MAPS, object));
    expect(await reader.next(stop.signal)).toEqual([]);
  });
});

test('an object shares its unchanged parts with the object that it replaces', async () => {
  const { objectStore } = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0) });
  const first = await stored(objectStore, MAPS, { ...sample('a'), spec: { deep: [{ part: 1 }] } });
  const second: KubernetesObject = await changed(objectStore, MAPS, first, 'second');
  expect(second['spec']).toBe(first['spec']);
  expect(second['data']).not.toBe(first['data']);
  expect(Object.isFrozen((second['spec'] as { deep: unknown[] }).deep[0])).toBe(true);
});
