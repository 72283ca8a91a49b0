import { expect } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { PromiseOfLog } from './changeLogContract.ts';
import { applyTo, listWithPosition, opened, readUntil } from './changeLogReading.ts';
import { changed, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

const MAPS = 'configmaps';

/** A writer that creates, changes and removes one name again and again. A third of the names, by their length, keep their last object. */
async function churn(store: ObjectStore, name: string, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const first = await stored(store, MAPS, sample(name, { uid: `${name}-${round}` }));
    const second = await changed(store, MAPS, first, `round ${round}`);
    if (round < rounds - 1 || name.length % 3 !== 0) await removed(store, MAPS, second);
  }
}

/** Positions: heads, future versions, expired versions, and a watch after a list. */
export function changeLogHistoryContract(promise: PromiseOfLog): void {
  promise('the head of a resource without writes is 1, and a watch from it sees the first write', async (harness) => {
    const { objectStore, changeLog, signal } = harness;
    expect(await changeLog.head(MAPS)).toBe(1);
    expect(await changeLog.reached(MAPS, 0, signal)).toBe(1);
    expect(await changeLog.reached(MAPS, 1, signal)).toBe(1);
    const { position } = await listWithPosition(objectStore, changeLog, MAPS, signal);
    expect(position).toBe(1);
    const cursor = await opened(changeLog, MAPS, position, signal);
    expect(cursor.position).toBe(1);
    const first = await stored(objectStore, MAPS, sample('a'));
    expect(versionOf(first)).toBeGreaterThan(1);
    expect(await cursor.next(signal)).toEqual([expect.objectContaining({ type: 'ADDED', after: first })]);
    const late = await opened(changeLog, MAPS, 1, signal);
    expect(await late.next(signal)).toEqual([expect.objectContaining({ type: 'ADDED', after: first })]);
  });

  promise('the head moves only with writes of its own resource', async ({ objectStore, changeLog, signal }) => {
    const map = await stored(objectStore, MAPS, sample('a'));
    expect(await changeLog.reached(MAPS, versionOf(map), signal)).toBeGreaterThanOrEqual(versionOf(map));
    const head = await changeLog.head(MAPS);
    expect(head).toBeGreaterThanOrEqual(versionOf(map));
    await stored(objectStore, 'secrets', sample('a'));
    expect(await changeLog.head(MAPS)).toBe(head);
    const deleted = await removed(objectStore, MAPS, map);
    await changeLog.reached(MAPS, versionOf(deleted), signal);
    expect(await changeLog.head(MAPS)).toBeGreaterThanOrEqual(versionOf(deleted));
  });

  promise('a cursor opened at a version returns the changes after it', async ({ objectStore, changeLog, signal }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const second = await changed(objectStore, MAPS, first, 'second');
    const third = await changed(objectStore, MAPS, second, 'third');
    const after = async (version: number) => {
      const cursor = await opened(changeLog, MAPS, version, signal);
      const changes = await readUntil(cursor, (change) => change.version === versionOf(third), signal);
      return changes.map((change) => change.after);
    };
    expect(await after(0)).toEqual([first, second, third]);
    expect(await after(versionOf(first))).toEqual([second, third]);
    expect(await after(versionOf(second))).toEqual([third]);
  });

  promise('a cursor at the head waits for the next change', async ({ objectStore, changeLog, signal }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    const cursor = await opened(changeLog, MAPS, versionOf(first), signal);
    const waiting = cursor.next(signal);
    const second = await changed(objectStore, MAPS, first, 'second');
    expect(await waiting).toEqual([expect.objectContaining({ type: 'MODIFIED', after: second })]);
  });

  promise('opening at a future version waits for it', async ({ objectStore, changeLog, signal }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    await changeLog.reached(MAPS, versionOf(first), signal);
    const future = (await changeLog.head(MAPS)) + 1;
    const opening = opened(changeLog, MAPS, future, signal);
    const reaching = changeLog.reached(MAPS, future, signal);
    let current = first;
    while (versionOf(current) < future) current = await changed(objectStore, MAPS, current, 'next');
    expect(await reaching).toBeGreaterThanOrEqual(future);
    const cursor = await opening;
    const last = await changed(objectStore, MAPS, current, 'last');
    const changes = await readUntil(cursor, ({ version }) => version === versionOf(last), signal);
    expect(changes.at(-1)?.after).toEqual(last);
  });

  promise('waiting for a version ends when the signal is aborted', async ({ changeLog }) => {
    const stop = new AbortController();
    const opening = changeLog.open(MAPS, 1_000_000, stop.signal);
    const reaching = changeLog.reached(MAPS, 1_000_000, stop.signal);
    stop.abort();
    expect(await opening).toEqual({ status: 'future' });
    expect(await reaching).toBe('expired');
    expect(await changeLog.open(MAPS, 1_000_000, stop.signal)).toEqual({ status: 'future' });
    expect(await changeLog.reached(MAPS, 1_000_000, stop.signal)).toBe('expired');
  });

  promise('a version expires when a change after it is gone', async (harness) => {
    const { objectStore, changeLog, loseHistory, signal } = harness;
    const first = await stored(objectStore, MAPS, sample('a'));
    await changed(objectStore, MAPS, first, 'second');
    const standing = await stored(objectStore, 'secrets', sample('standing'));
    await loseHistory(MAPS);
    expect(await changeLog.open(MAPS, versionOf(first), signal)).toEqual({ status: 'expired' });
    expect(await changeLog.open(MAPS, 0, signal)).toEqual({ status: 'expired' });
    const cursor = await opened(changeLog, 'secrets', 0, signal);
    expect(await cursor.next(signal)).toEqual([expect.objectContaining({ after: standing })]);
  });

  promise('a reader that fell too far behind gets `expired`', async (harness) => {
    const { objectStore, changeLog, loseHistory, signal } = harness;
    const cursor = await opened(changeLog, MAPS, 0, signal);
    await stored(objectStore, MAPS, sample('a'));
    await loseHistory(MAPS);
    expect(await cursor.next(signal)).toBe('expired');
  });

  promise('a watch can continue from a list made after history was lost', async (harness) => {
    const { objectStore, changeLog, loseHistory, signal } = harness;
    await stored(objectStore, MAPS, sample('a'));
    await loseHistory(MAPS);
    const { position } = await listWithPosition(objectStore, changeLog, MAPS, signal);
    const cursor = await opened(changeLog, MAPS, position, signal);
    const next = await stored(objectStore, MAPS, sample('next'));
    const changes = await readUntil(cursor, ({ version }) => version === versionOf(next), signal);
    expect(changes.at(-1)?.after).toEqual(next);
  });

  promise(
    'a watch after a list loses nothing, even with concurrent writers',
    async ({ objectStore, changeLog, signal }) => {
      const names = Array.from({ length: 12 }, (_, n) => `writer-${'x'.repeat(n)}`);
      const writing = Promise.all(names.map((name) => churn(objectStore, name, 4)));
      const watchers = Array.from({ length: 8 }, (_, n) => {
        // Each reader lists at another moment: after this many changes.
        const opening = (async () => {
          const early = await opened(changeLog, MAPS, 0, signal);
          for (let seen = 0; seen < n * 12; ) seen += (await early.next(signal)).length;
          const { items, position } = await listWithPosition(objectStore, changeLog, MAPS, signal);
          const world = new Map(items.map((object): [string, KubernetesObject] => [object.metadata.name, object]));
          return { world, cursor: await opened(changeLog, MAPS, position, signal) };
        })();
        const watching = opening.then(async ({ world, cursor }) => {
          const changes = await readUntil(cursor, (change) => change.after?.metadata.name === 'end', signal);
          for (const change of changes) applyTo(world, change);
          return world;
        });
        return { opening, watching };
      });
      await writing;
      // Each reader must see the last change in its watch, and so list before it.
      await Promise.all(watchers.map(({ opening }) => opening));
      await stored(objectStore, MAPS, sample('end'));
      const { items } = await objectStore.list(MAPS);
      expect(items.length).toBeGreaterThan(1);
      for (const world of await Promise.all(watchers.map(({ watching }) => watching))) {
        expect([...world.values()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(items);
      }
    },
  );
}
