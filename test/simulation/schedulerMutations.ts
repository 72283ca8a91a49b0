import type { Controller } from '../../lambdas/controllers/Controller.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { Change } from '../../lambdas/ports/ChangeLog.ts';
import type { ObjectList } from '../../lambdas/ports/ObjectStore.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation, Seams } from './Mutation.ts';

/** Defects in which nodes pods get, and when. */
export const SCHEDULER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'pods-seen-late',
    what: 'the scheduler decides by the pods as they were when its last sync looked',
    seams: () => {
      let newest = 0;
      return changesSeen((changes) => {
        const known = newest;
        newest = Math.max(newest, ...changes.map(({ version }) => version));
        return changes.filter(({ version }) => version <= known);
      });
    },
  },
  {
    name: 'removed-pods-kept',
    what: 'the scheduler does not see that a pod is gone',
    seams: () => changesSeen((changes) => changes.filter(({ type }) => type !== 'DELETED')),
  },
  {
    name: 'ports-forgotten',
    what: 'the scheduler does not see which ports the pods of a node have',
    seams: () => boundPodsSeen(({ containers }) => ({ containers: containers.map(withoutPorts) })),
  },
  {
    name: 'equals-preempted',
    what: 'a pod takes the place of others that are as important',
    seams: () => boundPodsSeen(({ priority = 0 }) => ({ priority: priority - 1 })),
  },
  {
    name: 'notice-unread',
    what: 'plain pods are bound without a look at whether the scheduler holds them',
    seams: () =>
      registryOf('pod', (registry) => ({
        get: async (key) => (key.resource === 'configmaps' ? undefined : await registry.get(key)),
      })),
  },
  {
    name: 'freed-room-unnoticed',
    what: 'the scheduler does not look at the pods that wait when another one ends, is to be deleted, or is gone',
    seams: () => wokenBy(({ resource, type }) => resource !== 'pods' || type === 'ADDED'),
  },
  {
    name: 'new-room-unnoticed',
    what: 'the scheduler does not look at the pods that wait when a node comes or changes',
    seams: () => wokenBy(({ resource }) => resource !== 'nodes'),
  },
];

type Spec = NonNullable<Pod['spec']>;

function withoutPorts<T extends object>(container: T): T {
  return { ...container, ports: [] };
}

type Page = ObjectList<KubernetesObject>;

/** The scheduler sees another spec of each pod that has a node. What it writes has the real one. */
function boundPodsSeen(change: (spec: Spec) => Partial<Spec>): Seams {
  const real = new WeakMap<object, KubernetesObject>();
  const seen = (pod: KubernetesObject): KubernetesObject => {
    const { spec } = pod as Pod;
    if (!spec?.nodeName) return pod;
    const other = { ...pod, spec: { ...spec, ...change(spec) } };
    real.set(other, pod);
    return other;
  };
  const seenChange = (one: Change): Change => (one.after ? { ...one, after: seen(one.after) } : one);
  const registries = registryOf('scheduler', (registry) => ({
    list: listing(registry, (page) => ({ ...page, items: page.items.map(seen) })),
    update: async (resource, object, options) => {
      const from = real.get(options?.from ?? {});
      if (!from) return await registry.update(resource, object, options);
      return await registry.update(resource, { ...object, spec: (from as Pod).spec }, { ...options, from } as never);
    },
  }));
  return { ...registries, ...changesSeen((changes) => changes.map(seenChange)) };
}

/** The scheduler sees other changes of the pods than there are. */
function changesSeen(change: (changes: readonly Change[]) => readonly Change[]): Seams {
  return {
    exactLog: (log, controller) =>
      controller === 'scheduler'
        ? {
            ...log,
            changesSince: async (...asked) => {
              const changes = await log.changesSince(...asked);
              return changes === 'expired' ? changes : change(changes);
            },
          }
        : log,
  };
}

function listing(registry: Registry, change: (page: Page) => Page): Registry['list'] {
  return async (resource, options) => {
    const page = await registry.list(resource, options);
    return (resource === 'pods' ? change(page) : page) as never;
  };
}

function registryOf(name: ControllerName, change: (registry: Registry) => Partial<Registry>): Seams {
  return {
    registry: (registry, controller) =>
      controller === name ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function wokenBy(isSeen: (change: Parameters<Controller['keysFor']>[0]) => boolean): Seams {
  return {
    controller: (controller) =>
      controller.name === 'scheduler'
        ? { ...controller, keysFor: (change) => (isSeen(change) ? controller.keysFor(change) : []) }
        : controller,
  };
}
