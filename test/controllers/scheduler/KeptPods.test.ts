import * as fc from '../../support/seededFastCheck.ts';
import { expect, test } from 'vitest';
import { MemoryJournal } from '../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { openEmbeddedStore } from '../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import type { ClusterPods } from '../../../lambdas/controllers/scheduler/framework/ClusterPods.ts';
import { KeptPods, listPods } from '../../../lambdas/controllers/scheduler/KeptPods.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { VirtualClock } from '../../../lambdas/adapters/clocks/VirtualClock.ts';
import { pod } from './schedulerObjects.ts';

const NAMES = ['p1', 'p2', 'p3', 'p4'];
const NODES = ['n1', 'n2'];
/** Few, so that the log sometimes goes on without the picture. */
const RETAINED = 5;

const step = fc.record({
  act: fc.constantFrom('create', 'bind', 'end', 'remove', 'look', 'look'),
  name: fc.constantFrom(...NAMES),
  node: fc.constantFrom(...NODES),
});

function openStore() {
  const opened = openEmbeddedStore({
    journal: new MemoryJournal(),
    clock: new VirtualClock(0),
    retainedChanges: RETAINED,
  });
  const { objectStore } = opened;
  const at = (name: string) => ({ resource: 'pods', namespace: 'default', name });
  let created = 0;
  const edit = async (name: string, change: (found: Pod) => Pod) => {
    const found = await objectStore.get<Pod>(at(name));
    if (found) await objectStore.replace('pods', change(found));
  };
  const acts = {
    create: async (name: string) => {
      created += 1;
      const { metadata, ...rest } = pod(name);
      await objectStore.create('pods', { ...rest, metadata: { ...metadata, uid: `${name}-${created}` } });
    },
    bind: (name: string, nodeName: string) =>
      edit(name, (found) => ({ ...found, spec: { containers: [], ...found.spec, nodeName } })),
    end: (name: string) => edit(name, (found) => ({ ...found, status: { phase: 'Succeeded' } })),
    remove: async (name: string) => void (await objectStore.remove(at(name))),
  };
  return { ...opened, acts };
}

/** What the scheduler sees of the pods. */
function seen(pods: ClusterPods) {
  const uids = (list: readonly Pod[]) => list.map(({ metadata }) => metadata.uid).toSorted();
  const onNodes = NODES.map((node) => uids(pods.on(node).all.map((info) => info.pod)));
  return { pending: uids(pods.pending), onNodes, lowest: pods.lowestBoundPriority };
}

test('the kept pods are those of a list, whenever one looks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { objectStore, changeLog, acts } = openStore();
      const kept = new KeptPods(changeLog);
      for (const { act, name, node } of steps) {
        if (act !== 'look') await acts[act](name, node);
        else expect(seen(await kept.read(objectStore))).toEqual(seen(await listPods(objectStore)));
      }
    }),
  );
});

test('what happens while they are listed is not lost, and does not come back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 10 }),
      fc.array(step, { maxLength: RETAINED - 1 }),
      async (before, meanwhile) => {
        const { objectStore, changeLog, acts } = openStore();
        for (const { act, name, node } of before) if (act !== 'look') await acts[act](name, node);
        const registry = {
          list: async (...asked: Parameters<typeof objectStore.list>) => {
            for (const { act, name, node } of meanwhile) if (act !== 'look') await acts[act](name, node);
            return await objectStore.list(...asked);
          },
        };
        const kept = await new KeptPods(changeLog).read(registry as never);
        expect(seen(kept)).toEqual(seen(await listPods(objectStore)));
      },
    ),
  );
});

test('they are listed once, and then followed', async () => {
  const { objectStore, changeLog, acts } = openStore();
  let lists = 0;
  const registry = {
    ...objectStore,
    list: async (...asked: Parameters<typeof objectStore.list>) => {
      lists += 1;
      return await objectStore.list(...asked);
    },
  };
  const kept = new KeptPods(changeLog);
  for (const name of NAMES) {
    await acts.create(name);
    await kept.read(registry as never);
  }
  expect(lists).toBe(1);
});

test('a change that cannot be read does not leave out another one for good', async () => {
  const { objectStore, changeLog, acts } = openStore();
  let isBroken = false;
  const log = {
    head: changeLog.head.bind(changeLog),
    changesSince: async (...asked: Parameters<typeof changeLog.changesSince>) => {
      const changes = await changeLog.changesSince(...asked);
      return isBroken && changes !== 'expired' ? [{ ...changes[0], after: {} } as never] : changes;
    },
  };
  const kept = new KeptPods(log);
  await kept.read(objectStore);
  await acts.create('p1');
  isBroken = true;
  await expect(kept.read(objectStore)).rejects.toThrow(TypeError);
  isBroken = false;
  expect(seen(await kept.read(objectStore))).toEqual(seen(await listPods(objectStore)));
});

test('two that look at the same time see the same', async () => {
  const { objectStore, changeLog, acts } = openStore();
  const kept = new KeptPods(changeLog);
  await kept.read(objectStore);
  for (const name of NAMES) await acts.create(name);
  const [one, other] = await Promise.all([kept.read(objectStore), kept.read(objectStore)]);
  expect(seen(one).pending).toHaveLength(NAMES.length);
  expect(seen(other)).toEqual(seen(one));
});
