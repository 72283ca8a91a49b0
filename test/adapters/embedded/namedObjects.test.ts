import { expect, test } from 'vitest';
import { NamedObjects } from '../../../lambdas/adapters/embedded/NamedObjects.ts';
import { SeededIds } from '../../../lambdas/adapters/ids/SeededIds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { sample } from '../../contracts/objectStoreSamples.ts';

const MANY = 3_000;

/** Does the same to the objects and to a map, which is sorted whenever it is read. */
class Compared {
  readonly objects = new NamedObjects();
  readonly #known = new Map<string, KubernetesObject>();

  get names(): readonly string[] {
    return [...this.#known.keys()].sort();
  }

  put(name: string, text: string): void {
    const object = sample(name, { text });
    expect(this.objects.put(object)).toBe(this.#known.get(name));
    this.#known.set(name, object);
  }

  remove(name: string): void {
    expect(this.objects.remove(name)).toBe(this.#known.delete(name));
  }

  /** Reads as the objects do, from the map. */
  read(after: string | undefined, limit: number): readonly [items: readonly unknown[], more: number] {
    const names = this.names.filter((name) => after === undefined || name > after);
    return [names.slice(0, limit).map((name) => this.#known.get(name)), Math.max(0, names.length - limit)];
  }
}

test('thousands of objects that come and go in any order are found, and read in the order of their names', () => {
  const ids = new SeededIds(17);
  const compared = new Compared();
  const anyName = () => `pod-${Math.floor(ids.random() * MANY)}`;
  for (let step = 0; step < 4 * MANY; step += 1) {
    // First most are put, then most are removed.
    if (ids.random() < (step < 2 * MANY ? 0.9 : 0.2)) compared.put(anyName(), `${step}`);
    else compared.remove(anyName());
    if (step % 100 !== 0) continue;
    const { objects, names } = compared;
    expect([objects.size, objects.first?.metadata.name]).toEqual([names.length, names[0]]);
    for (const after of [undefined, '', anyName(), names.at(-1), 'z']) {
      for (const limit of [0, 1, 700, Number.POSITIVE_INFINITY]) {
        const items = [sample('before')];
        const more = objects.readInto(items, after, limit);
        const [expected, expectedMore] = compared.read(after, limit);
        expect([items.slice(1), more]).toEqual([expected, expectedMore]);
      }
    }
    const name = anyName();
    expect(objects.get(name)?.metadata.name).toBe(names.includes(name) ? name : undefined);
  }
});

test('objects that are all removed leave nothing', () => {
  const objects = new NamedObjects();
  const names = Array.from({ length: MANY }, (_, index) => `pod-${index}`);
  for (const name of names) objects.put(sample(name));
  for (const name of names) expect(objects.remove(name)).toBe(true);
  const items: KubernetesObject[] = [];
  expect([objects.readInto(items, undefined, 10), items, objects.size, objects.first]).toEqual([0, [], 0, undefined]);
  objects.put(sample('again'));
  expect(objects.get('again')?.metadata.name).toBe('again');
});
