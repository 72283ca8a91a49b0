import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import { subjectOf } from '../../lambdas/ports/ChangeLog.ts';
import type { PromiseOfLog } from './changeLogContract.ts';
import { opened, readUntil } from './changeLogReading.ts';
import { changed, removed, sample, stored, versionOf } from './objectStoreSamples.ts';

const MAPS = 'configmaps';

/** The changes that a cursor returns, and how it waits. */
export function changeLogCursorContract(promise: PromiseOfLog): void {
  promise('a change has its type, its version, and the object before and after', async (harness) => {
    const { objectStore, changeLog, signal } = harness;
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const first = await stored(objectStore, MAPS, sample('a'));
    const second = await changed(objectStore, MAPS, first, 'second');
    const last = await removed(objectStore, MAPS, second);
    const changes = await readUntil(cursor, ({ type }) => type === 'DELETED', signal);
    expect(changes).toEqual([
      { type: 'ADDED', resource: MAPS, version: versionOf(first), after: first },
      { type: 'MODIFIED', resource: MAPS, version: versionOf(second), before: first, after: second },
      { type: 'DELETED', resource: MAPS, version: versionOf(last), before: second },
    ]);
  });

  promise(
    'an object that is created again under its old name is ADDED again',
    async ({ objectStore, changeLog, signal }) => {
      await removed(objectStore, MAPS, await stored(objectStore, MAPS, sample('a', { uid: 'one' })));
      const second = await stored(objectStore, MAPS, sample('a', { uid: 'two' }));
      const cursor = await opened(changeLog, MAPS, 0, signal);
      const changes = await readUntil(cursor, ({ version }) => version === versionOf(second), signal);
      expect(changes.map(({ type }) => type)).toEqual(['ADDED', 'DELETED', 'ADDED']);
      expect(changes[2]).not.toHaveProperty('before');
    },
  );

  promise('a refused write is not a change', async ({ objectStore, changeLog, signal }) => {
    const first = await stored(objectStore, MAPS, sample('a'));
    await objectStore.create(MAPS, sample('a', { uid: 'other' }));
    await objectStore.remove({ resource: MAPS, namespace: 'default', name: 'a' }, { uid: 'other' });
    const second = await changed(objectStore, MAPS, first, 'second');
    await objectStore.replace(MAPS, first);
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const changes = await readUntil(cursor, ({ version }) => version === versionOf(second), signal);
    expect(changes.map(({ after }) => after)).toEqual([first, second]);
  });

  promise('a cursor returns changes of its own resource only', async ({ objectStore, changeLog, signal }) => {
    const cursor = await opened(changeLog, MAPS, 0, signal);
    await stored(objectStore, 'secrets', sample('secret'));
    const map = await stored(objectStore, MAPS, sample('map'));
    const changes = await readUntil(cursor, ({ version }) => version === versionOf(map), signal);
    expect(changes.map(({ after }) => after)).toEqual([map]);
  });

  promise('a change wakes a waiting cursor', async ({ objectStore, changeLog, signal }) => {
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const waiting = cursor.next(signal);
    const object = await stored(objectStore, MAPS, sample('a'));
    expect(await waiting).toEqual([expect.objectContaining({ type: 'ADDED', after: object })]);
  });

  promise(
    'an aborted wait returns an empty list, and the cursor can go on',
    async ({ objectStore, changeLog, signal }) => {
      const cursor = await opened(changeLog, MAPS, 0, signal);
      const stop = new AbortController();
      const waiting = cursor.next(stop.signal);
      stop.abort();
      expect(await waiting).toEqual([]);
      expect(await cursor.next(stop.signal)).toEqual([]);
      const object = await stored(objectStore, MAPS, sample('a'));
      expect(await cursor.next(signal)).toEqual([expect.objectContaining({ after: object })]);
    },
  );

  promise('a wait leaves no listener on its signal', async ({ objectStore, changeLog }) => {
    const stop = new AbortController();
    const cursor = await opened(changeLog, MAPS, 0, stop.signal);
    for (let n = 0; n < 5; n += 1) {
      const waiting = cursor.next(stop.signal);
      await stored(objectStore, MAPS, sample(`object-${n}`));
      await waiting;
    }
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  promise('a new cursor at the position of another misses nothing that the other has not returned', async (harness) => {
    const { objectStore, changeLog, signal } = harness;
    const cursor = await opened(changeLog, MAPS, 0, signal);
    expect(cursor.position).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      await stored(objectStore, MAPS, sample(`before-${n}`));
      await cursor.next(signal);
      const fork = await opened(changeLog, MAPS, cursor.position, signal);
      const next = await stored(objectStore, MAPS, sample(`after-${n}`));
      const isNext = ({ version }: { version: number }) => version === versionOf(next);
      const missed = await readUntil(cursor, isNext, signal);
      const forked = await readUntil(fork, isNext, signal);
      expect(forked).toEqual(expect.arrayContaining(missed));
      fork.close();
    }
  });

  promise('all watchers see the same order while several writers write', async ({ objectStore, changeLog, signal }) => {
    const cursors = await Promise.all(Array.from({ length: 20 }, () => opened(changeLog, MAPS, 0, signal)));
    const readings = cursors.map((cursor) =>
      readUntil(cursor, (change) => subjectOf(change).metadata.name === 'last', signal),
    );
    const writers = Array.from({ length: 16 }, async (_, n) => {
      const first = await stored(objectStore, MAPS, sample(`object-${n}`));
      await removed(objectStore, MAPS, await changed(objectStore, MAPS, first, 'second'));
    });
    await Promise.all(writers);
    await stored(objectStore, MAPS, sample('last'));
    const [reading, ...others] = await Promise.all(readings);
    expect(reading).toHaveLength(16 * 3 + 1);
    for (const other of others) expect(other).toEqual(reading);
  });

  promise('the versions of one object grow along the log', async ({ objectStore, changeLog, signal }) => {
    const objects = await Promise.all(['a', 'b', 'c'].map((name) => stored(objectStore, MAPS, sample(name))));
    await Promise.all(
      objects.map(async (object) => {
        let current = object;
        for (let n = 0; n < 5; n += 1) current = await changed(objectStore, MAPS, current, `${n}`);
        await removed(objectStore, MAPS, current);
      }),
    );
    const end = await stored(objectStore, MAPS, sample('end'));
    const cursor = await opened(changeLog, MAPS, 0, signal);
    const changes = await readUntil(cursor, ({ version }) => version === versionOf(end), signal);
    expect(new Set(changes.map(({ version }) => version)).size).toBe(changes.length);
    for (const { metadata } of objects) {
      const own = changes.filter((change) => subjectOf(change).metadata.name === metadata.name);
      expect(own.map(({ version }) => version)).toEqual(own.map(({ version }) => version).sort((a, b) => a - b));
      own.slice(1).forEach((change, n) => expect(change.before).toEqual(own[n]?.after));
    }
  });
}
