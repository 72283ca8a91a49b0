import { describe, expect, test } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { ObjectStore } from '../../../lambdas/ports/ObjectStore.ts';
import { UNLIMITED } from '../../model/dynamo/DynamoPhysics.ts';
import { DynamoModel } from '../../model/DynamoModel.ts';
import { ModelHost } from '../../model/ModelHost.ts';
import { Random } from '../../simulation/Random.ts';
import { CloudStoreBench } from '../../support/CloudStoreBench.ts';
import { RACE_MUTATIONS, type RaceMutation, raceServices } from './ServiceRace.ts';

const SEEDS = 20;

type Open = () => Promise<{ readonly objectStore: ObjectStore; readonly close: () => Promise<void> }>;

const openEmbedded: Open = async () => {
  const store = openEmbeddedStore({ journal: new MemoryJournal(), clock: new SystemClock() });
  return { objectStore: store.objectStore, close: () => store.close() };
};

const openCloud: Open = () => {
  const random = new Random(1);
  const model = new DynamoModel({ clock: new SystemClock(), random, physics: UNLIMITED });
  return CloudStoreBench.open(new ModelHost(model, random)).then((bench) => ({
    objectStore: bench.objectStore,
    close: () => bench.close(),
  }));
};

async function race(open: Open, seed: number, mutation?: RaceMutation): Promise<string[]> {
  const { objectStore, close } = await open();
  try {
    return await raceServices(objectStore, seed, mutation);
  } finally {
    await close();
  }
}

describe.each<[string, Open]>([
  ['in memory', openEmbedded],
  ['on the model of DynamoDB', openCloud],
])('%s', (_, open) => {
  test('no two Services ever hold the same address or node port, and no claim is left over', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1)
      expect({ seed, found: await race(open, seed) }).toEqual({ seed, found: [] });
  });

  test.each(RACE_MUTATIONS)('the race finds $name: $what', async (mutation) => {
    const isFound = async (seed: number) => (await race(open, seed, mutation)).some((one) => mutation.finds.test(one));
    let seed = 1;
    while (seed < SEEDS && !(await isFound(seed))) seed += 1;
    expect(seed).toBeLessThan(SEEDS);
  });
});
