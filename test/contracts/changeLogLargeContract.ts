import { expect } from 'vitest';
import { largeSample, renamed } from './objectStoreLargeContract.ts';
import type { PromiseOfLog } from './changeLogContract.ts';
import { listWithPosition, opened, readUntil } from './changeLogReading.ts';
import { removed, stored, versionOf } from './objectStoreSamples.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/** Changes of objects of more than half a megabyte. */
export function changeLogLargeContract(promise: PromiseOfLog): void {
  promise('the changes of a large object have it whole, before and after', async (harness) => {
    const { objectStore, changeLog, signal } = harness;
    const cursor = await opened(changeLog, DEFINITIONS, 0, signal);
    const first = await stored(objectStore, DEFINITIONS, largeSample('a'));
    const outcome = await objectStore.replace(DEFINITIONS, renamed(first, 'Other'));
    const second = outcome.status === 'stored' ? outcome.object : first;
    const last = await removed(objectStore, DEFINITIONS, second);
    const changes = await readUntil(cursor, ({ type }) => type === 'DELETED', signal);
    expect(changes).toEqual([
      { type: 'ADDED', resource: DEFINITIONS, version: versionOf(first), after: first },
      { type: 'MODIFIED', resource: DEFINITIONS, version: versionOf(second), before: first, after: second },
      { type: 'DELETED', resource: DEFINITIONS, version: versionOf(last), before: second },
    ]);
  });

  promise('a list and a watch lose none of several large objects of the largest size', async (harness) => {
    const { objectStore, changeLog, signal } = harness;
    const names = ['a', 'b', 'c', 'd'];
    const large = (name: string) => largeSample(name, { bytes: 1_400_000 });
    const cursor = await opened(changeLog, DEFINITIONS, 0, signal);
    const objects = await Promise.all(names.map((name) => stored(objectStore, DEFINITIONS, large(name))));
    const { items, position } = await listWithPosition(objectStore, changeLog, DEFINITIONS, signal);
    expect(items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(objects);
    const newest = objects.toSorted((a, b) => versionOf(a) - versionOf(b));
    const later = await opened(changeLog, DEFINITIONS, position, signal);
    const end = await removed(objectStore, DEFINITIONS, objects[0] ?? large('a'));
    const all = await readUntil(cursor, ({ type }) => type === 'DELETED', signal);
    const added = all.filter(({ type }) => type === 'ADDED').toSorted((a, b) => a.version - b.version);
    expect(added.map(({ after }) => after)).toEqual(newest);
    const rest = await readUntil(later, ({ type }) => type === 'DELETED', signal);
    expect(rest.at(-1)).toMatchObject({ type: 'DELETED', version: versionOf(end), before: objects[0] });
  });
}
