import * as fc from '../support/seededFastCheck.ts';
import { expect } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { PromiseOfStore } from './objectStoreContract.ts';
import { owner, sample, versionOf } from './objectStoreSamples.ts';

const MAPS = 'configmaps';

interface Step {
  readonly act: 'create' | 'replace' | 'replaceStale' | 'remove' | 'removeStale' | 'burn';
  readonly name: string;
  readonly uid: string;
  readonly controller: string | undefined;
  readonly data: unknown;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.constantFrom('create', 'create', 'replace', 'replaceStale', 'remove', 'removeStale', 'burn'),
    name: fc.constantFrom('a', 'b', 'c'),
    uid: fc.constantFrom('1', '2', '3'),
    controller: fc.constantFrom('x', 'y', undefined),
    // As JSON carries it: it writes -0 as 0.
    data: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  }),
  { maxLength: 40 },
);

/** The simplest model of a store. */
class Model {
  readonly objects = new Map<string, KubernetesObject>();
  readonly dead = new Set<string>();

  expectedStatus({ act, name, uid }: Step): string {
    const taken = this.objects.has(name);
    if (act === 'create') return taken || this.dead.has(`${name}/${uid}`) ? 'exists' : 'stored';
    if (act === 'burn') return this.objects.get(name)?.metadata.uid === uid ? 'exists' : 'burned';
    if (!taken) return 'absent';
    if (act === 'replace') return 'stored';
    return act === 'remove' ? 'removed' : 'conflict';
  }

  apply({ name, uid }: Step, status: string, object: KubernetesObject | undefined): void {
    const before = this.objects.get(name);
    if (status === 'stored' && object) this.objects.set(name, object);
    if (status === 'burned') this.dead.add(`${name}/${uid}`);
    if (status === 'removed') {
      this.objects.delete(name);
      this.dead.add(`${name}/${before?.metadata.uid}`);
    }
  }
}

function perform(store: ObjectStore, namespace: string, step: Step, current: KubernetesObject | undefined) {
  const { act, name, uid, controller, data } = step;
  const key = { resource: MAPS, namespace, name };
  const ownerReferences = controller === undefined ? [] : [owner(controller, true)];
  const fresh = { ...sample(name, { namespace, uid, ownerReferences }), data };
  const metadata = { ...fresh.metadata, uid: current?.metadata.uid ?? uid };
  const read = { ...fresh, metadata: { ...metadata, resourceVersion: current?.metadata.resourceVersion ?? '1' } };
  switch (act) {
    case 'create':
      return store.create(MAPS, fresh);
    case 'replace':
      return store.replace(MAPS, read);
    case 'replaceStale':
      return store.replace(MAPS, { ...read, metadata: { ...metadata, resourceVersion: '0' } });
    case 'remove':
      return store.remove(key, current && { uid: current.metadata.uid });
    case 'removeStale':
      return store.remove(key, { resourceVersion: '0' });
    case 'burn':
      return store.burn(key, uid);
  }
}

async function expectSame(store: ObjectStore, namespace: string, model: Model): Promise<void> {
  const expected = [...model.objects.keys()].sort().map((name) => model.objects.get(name));
  expect((await store.list(MAPS, { namespace })).items).toEqual(expected);
  for (const value of ['x', 'y', '']) {
    const { items } = await store.list(MAPS, { namespace, index: { name: 'controller', value } });
    const owned = expected.filter((object) => (object?.metadata.ownerReferences?.[0]?.uid ?? '') === value);
    expect(items).toEqual(owned);
  }
}

/** Compares any sequence of writes with a model made of a map and a set. */
export function objectStoreModelContract(promise: PromiseOfStore): void {
  promise(
    'any sequence of writes has the outcomes and the final objects of a simple model',
    async ({ objectStore }) => {
      let run = 0;
      const property = fc.asyncProperty(steps, async (sequence) => {
        const namespace = `run-${(run += 1)}`;
        const model = new Model();
        for (const step of sequence) {
          const outcome = await perform(objectStore, namespace, step, model.objects.get(step.name));
          expect(outcome.status).toBe(model.expectedStatus(step));
          const object = 'object' in outcome ? outcome.object : undefined;
          const before = model.objects.get(step.name);
          model.apply(step, outcome.status, object);
          if (outcome.status === 'stored') expect(outcome.object['data']).toEqual(step.data);
          if (object && before) expect(versionOf(object)).toBeGreaterThan(versionOf(before));
        }
        await expectSame(objectStore, namespace, model);
      });
      await fc.assert(property, { numRuns: 50 });
    },
  );
}
