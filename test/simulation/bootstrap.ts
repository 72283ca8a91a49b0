import { simulatedNode } from '../../lambdas/functions/resync/simulatedNode.ts';
import { SeededIds } from '../../lambdas/adapters/ids/SeededIds.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { Clock } from '../../lambdas/ports/Clock.ts';
import { createRegistry } from '../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { ResourceEntry } from '../../lambdas/registry/ResourceEntry.ts';
import { createResourceCatalog } from '../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { PRIORITY_CLASSES } from '../../lambdas/registry/resources/priorityClasses.ts';
import type { WriterStore } from './AuditedStore.ts';
import type { ExtraKind } from './ExtraKind.ts';

type BootStore = Omit<WriterStore, 'reopen' | 'nextOrder'>;

/** The kinds of the simulation's registries. There are no priority classes, which the creation of a pod without a class would look for. */
export const SIMULATED_ENTRIES = resourceEntries.filter(({ groupResource }) => groupResource !== PRIORITY_CLASSES);

/** The registry with which everything begins. */
export function bootRegistry(
  store: BootStore,
  clock: Clock,
  entries: readonly ResourceEntry[] = SIMULATED_ENTRIES,
): Registry {
  const objectStore: ObjectStore = {
    get: (key) => store.get(key),
    list: (resource, options) => store.list(resource, options),
    create: (resource, object) => store.create({ by: 'boot' }, resource, object),
    replace: (resource, object) => store.replace({ by: 'boot' }, resource, object),
    remove: (key, preconditions) => store.remove({ by: 'boot' }, key, preconditions),
    burn: (key, uid) => store.burn(key, uid),
  };
  return createRegistry({
    objectStore,
    clock,
    ids: new SeededIds(0),
    catalog: createResourceCatalog(entries),
  });
}

/** Creates the namespaces and nodes, and what these kinds need, before anything can go wrong. */
export async function bootstrap(store: BootStore, clock: Clock, kinds: readonly ExtraKind[] = []): Promise<void> {
  const registry = bootRegistry(store, clock);
  for (const name of ['a', 'b', 'kube-system']) {
    await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  for (const number of [1, 2]) await registry.create('nodes', simulatedNode(number, {}, clock.now()));
  const whole = bootRegistry(store, clock, resourceEntries);
  for (const { resource, object } of kinds.flatMap(({ objects = [] }) => objects)) await whole.create(resource, object);
}
