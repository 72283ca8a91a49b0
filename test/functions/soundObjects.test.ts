import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../lambdas/adapters/clocks/VirtualClock.ts';
import { MemoryJournal } from '../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { soundObjects } from '../../lambdas/functions/soundObjects.ts';
import { UnreadableObjectError } from '../../lambdas/ports/UnreadableObjectError.ts';

const RESOURCE = 'configmaps';
const keyOf = (name: string) => ({ resource: RESOURCE, namespace: 'default', name });

/** A store with objects, of which those whose names begin with `bad` cannot be read. */
async function setUp(names: readonly string[]) {
  const { objectStore } = openEmbeddedStore({ journal: new MemoryJournal(), clock: new VirtualClock(0) });
  for (const name of names) {
    const metadata = { name, namespace: 'default', uid: name };
    await objectStore.create(RESOURCE, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
  const lines: object[] = [];
  const sound = soundObjects({
    objectStore,
    misfitOf: (_, { metadata }) => (metadata.name.startsWith('bad') ? 'data is not of type string' : undefined),
    withDefaults: (_, object) => object,
    isSuspect: () => true,
    log: (line) => lines.push(line),
  });
  return { sound, lines };
}

describe('a store with objects that cannot be read', () => {
  test('reads the others', async () => {
    const { sound } = await setUp(['a', 'bad']);
    expect(await sound.get(keyOf('a'))).toMatchObject({ metadata: { name: 'a' } });
    expect(await sound.get(keyOf('none'))).toBe(undefined);
  });

  test('does not say that such an object is gone, since its dependents would go too', async () => {
    const { sound } = await setUp(['bad']);
    const read = sound.get(keyOf('bad'));
    await expect(read).rejects.toBeInstanceOf(UnreadableObjectError);
    await expect(read).rejects.toMatchObject({
      code: 500,
      message: 'data from the storage is not decodable: configmaps default/bad: data is not of type string',
    });
  });

  test('leaves it out of lists, and tells of it once', async () => {
    const { sound, lines } = await setUp(['a', 'bad', 'c']);
    for (const _ of [1, 2]) {
      const { items } = await sound.list(RESOURCE);
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    }
    const place = { resource: RESOURCE, namespace: 'default', name: 'bad' };
    expect(lines).toEqual([{ level: 'error', msg: 'unreadable', ...place, error: 'data is not of type string' }]);
  });

  test('a page of such objects is not the end of a list', async () => {
    const { sound } = await setUp(['bad-1', 'bad-2', 'bad-3', 'bad-4', 'good']);
    const { items, more } = await sound.list(RESOURCE, { limit: 2 });
    expect([items.map(({ metadata }) => metadata.name), more]).toEqual([['good'], false]);
  });
});
