import { expect, test } from 'vitest';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { frozenCopy } from '../../../lambdas/adapters/embedded/frozenCopy.ts';
import type { JournalEntry } from '../../../lambdas/adapters/embedded/Journal.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';

/** A journal that gives back other objects than it was given, as one in a file does. */
class CopyingJournal extends MemoryJournal {
  override entries(): Iterable<JournalEntry> {
    return [...super.entries()].map((entry) => frozenCopy(structuredClone(entry)));
  }
}

const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web-uid', controller: true };

function podOf(name: string, image: string): ReturnType<typeof sample> {
  const pod = sample(name);
  const metadata = { ...pod.metadata, labels: { app: 'web' }, ownerReferences: [OWNER] };
  return { ...pod, metadata, spec: { containers: [{ name: 'app', image }], tolerations: [{ operator: 'Exists' }] } };
}

test('pods of one controller share what is equal in them, also after a restart', async () => {
  const journal = new CopyingJournal();
  const clock = new VirtualClock(0);
  const first = openEmbeddedStore({ journal, clock });
  for (const [name, image] of [
    ['one', 'nginx:1'],
    ['two', 'nginx:1'],
    ['three', 'nginx:2'],
  ] as const) {
    await first.objectStore.create('pods', podOf(name, image));
  }
  const restarted = openEmbeddedStore({ journal, clock });
  for (const { objectStore } of [first, restarted]) {
    const { items } = await objectStore.list<Pod>('pods');
    const [one, three, two] = items;
    if (!one || !two || !three) throw new Error('a pod is missing');
    expect(two.spec).toBe(one.spec);
    expect(two.metadata.labels).toBe(one.metadata.labels);
    expect(two.metadata.ownerReferences).toBe(one.metadata.ownerReferences);
    expect(three.spec?.tolerations).toBe(one.spec?.tolerations);
    expect(three.spec?.containers).toEqual([{ name: 'app', image: 'nginx:2' }]);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['one', 'three', 'two']);
  }
});
