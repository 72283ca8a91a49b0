import { plannedPods } from '../../lambdas/controllers/replicaset/plannedPods.ts';
import { REVISION } from '../../lambdas/objects/deployments/deploymentAnnotations.ts';
import { controllerOf, type KubernetesObject, type NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { isPodActive, isPodReady } from '../../lambdas/objects/pods/podState.ts';
import type { Intent } from '../../lambdas/ports/KeyLocks.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { Registry, WriteOutcome } from '../../lambdas/registry/Registry.ts';
import { boundRegistry } from './boundRegistry.ts';
import { type Disguise, DisguisedStore } from './DisguisedStore.ts';
import { boundLocks } from './lockMutations.ts';
import type { Mutation, Seams } from './Mutation.ts';
import { currentTrail, type SyncTrail } from './SyncTrail.ts';

const ENGINES: readonly ControllerName[] = ['replicaset', 'replicationcontroller'];

type RollingUpdate = NonNullable<NonNullable<NonNullable<Deployment['spec']>['strategy']>['rollingUpdate']>;

/** Defects of single rules of the controllers. */
export const CONTROLLER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'ready-pods-first',
    what: 'a replica set that has too many pods deletes ready ones before those that are not ready',
    seams: () => {
      const seen = new Map<string, Pod>();
      /** By UID of a ready pod that was deleted: the one in whose place it went. */
      const spared = new Map<string, Pod>();
      return registryOf(ENGINES, (registry) => ({
        list: async (resource, options) => {
          const page = await registry.list(resource, options);
          if (resource === 'pods') for (const item of page.items) seen.set(item.metadata.uid, item);
          return page as never;
        },
        delete: async (key, options) => {
          const asked = options?.preconditions?.uid ?? '';
          const victim = seen.get(asked);
          seen.delete(asked);
          const other = victim && !isPodReady(victim) ? readySibling(victim, [...seen.values()]) : undefined;
          // A ready pod that went in place of this one: if both are to go, this one's turn is now.
          const instead = spared.get(asked) ?? other;
          if (!instead) return await registry.delete(key, options);
          const { name, uid } = instead.metadata;
          seen.delete(uid);
          if (instead === other) spared.set(uid, victim as Pod);
          return await registry.delete({ ...key, name }, { preconditions: { uid } });
        },
      }));
    },
  },
  {
    name: 'bounds-swapped',
    what: 'maxSurge is taken for maxUnavailable, and the other way round',
    seams: () => strategyMutation(({ maxSurge, maxUnavailable }) => swapped(maxSurge, maxUnavailable)),
  },
  {
    name: 'rounding-swapped',
    what: 'a percentage of maxSurge is rounded down and one of maxUnavailable is rounded up',
    seams: () =>
      strategyMutation(({ maxSurge, maxUnavailable }, replicas) => ({
        ...(maxSurge !== undefined && { maxSurge: rounded(maxSurge, replicas, Math.floor) }),
        ...(maxUnavailable !== undefined && { maxUnavailable: rounded(maxUnavailable, replicas, Math.ceil) }),
      })),
  },
  {
    name: 'no-fresh-read',
    what: 'an orphan is adopted without another look at whether the adopter is being deleted',
    seams: () => {
      const reads = new WeakMap<SyncTrail, Map<string, Promise<unknown>>>();
      return registryOf(['deployment', ...ENGINES], (registry) => ({
        get: (key) => {
          const trail = currentTrail.getStore();
          if (!trail || key.resource === 'pods') return registry.get(key);
          const known = reads.get(trail) ?? new Map<string, Promise<unknown>>();
          reads.set(trail, known);
          const place = `${key.resource}/${key.namespace}/${key.name}`;
          const read = known.get(place) ?? registry.get(key);
          known.set(place, read);
          return read as never;
        },
      }));
    },
  },
  {
    name: 'no-slow-start',
    what: 'all pods that are missing are created at once',
    seams: slowStartMutation,
  },
  {
    name: 'deadline-not-requeued',
    what: 'a Deployment is not looked at again when its progress deadline passes',
    seams: () => ({
      controller: (controller) => ({
        ...controller,
        sync: async (key, context) => {
          const report = await controller.sync(key, context);
          const isDeadline = controller.name === 'deployment' && report.outcome.status === 'requeueAfter';
          return isDeadline ? { ...report, outcome: { status: 'done' } } : report;
        },
      }),
    }),
  },
  {
    name: 'leaving-pods-available',
    what: 'a status counts ready pods as available although their delete was not answered',
    seams: () =>
      registryOf(ENGINES, (registry) => ({
        update: (resource, object, options) =>
          registry.update(resource, options?.subresource === 'status' ? withReadyAvailable(object) : object, options),
      })),
  },
  {
    name: 'collector-ignores-version',
    what: 'the garbage collector deletes an object although it has changed since it was looked at',
    seams: () =>
      registryOf(['garbagecollector'], (registry) => ({
        delete: (key, { preconditions, ...options } = {}) => {
          const { uid } = preconditions ?? {};
          return registry.delete(key, { ...options, ...(uid !== undefined && { preconditions: { uid } }) });
        },
      })),
  },
  {
    name: 'revision-off-by-one',
    what: 'a new replica set gets the revision after the next',
    seams: () =>
      deploymentDisguise({
        create: (object, resource) => (resource === 'replicasets.apps' ? withNextRevision(object) : object),
      }),
  },
  {
    name: 'starts-with-none',
    what: 'a new replica set is created with 0 replicas and grows later, so it deletes orphans that it adopts',
    seams: () =>
      deploymentDisguise({
        create: (object, resource) =>
          resource === 'replicasets.apps'
            ? { ...object, spec: { ...(object['spec'] as object), replicas: 0 } }
            : object,
      }),
  },
  {
    name: 'collision-count-not-written',
    what: 'a replica set’s name that is taken does not vary the hash of the next try',
    seams: () =>
      deploymentDisguise({
        write: (object, original, resource) => (resource === 'deployments.apps' ? uncounted(object, original) : object),
      }),
  },
];

function registryOf(controllers: readonly ControllerName[], change: (registry: Registry) => Partial<Registry>): Seams {
  return {
    registry: (registry, controller) =>
      controllers.includes(controller) ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function readySibling(victim: Pod, pods: readonly Pod[]): Pod | undefined {
  const owner = controllerOf(victim)?.uid;
  return pods.find((pod) => controllerOf(pod)?.uid === owner && isPodReady(pod) && isPodActive(pod));
}

function deploymentDisguise(disguise: Disguise): Seams {
  return {
    objectStore: (store, controller) => (controller === 'deployment' ? new DisguisedStore(store, disguise) : store),
  };
}

/** The Deployment controller sees another rolling update than the user wrote. */
function strategyMutation(change: (rolling: RollingUpdate, replicas: number) => RollingUpdate): Seams {
  return deploymentDisguise({
    show: (object, resource) => {
      const { spec } = object as unknown as Deployment;
      const rolling = resource === 'deployments.apps' ? spec?.strategy?.rollingUpdate : undefined;
      if (!rolling) return object;
      const strategy = { ...spec?.strategy, rollingUpdate: change(rolling, spec?.replicas ?? 1) };
      return { ...object, spec: { ...spec, strategy } };
    },
    write: (object, original, resource) => {
      if (resource !== 'deployments.apps' || !original) return object;
      const { strategy } = (original['spec'] ?? {}) as { strategy?: unknown };
      return { ...object, spec: { ...(object['spec'] as object), strategy } };
    },
  });
}

function swapped(maxSurge: RollingUpdate['maxSurge'], maxUnavailable: RollingUpdate['maxUnavailable']): RollingUpdate {
  return {
    ...(maxUnavailable !== undefined && { maxSurge: maxUnavailable }),
    ...(maxSurge !== undefined && { maxUnavailable: maxSurge }),
  };
}

function rounded(value: number | string, replicas: number, round: (exact: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * replicas) / 100);
}

/** With the first create of an intent, all others are sent. */
function slowStartMutation(): Seams {
  const intents = new Map<string, Intent>();
  const sent = new Map<string, Promise<WriteOutcome<KubernetesObject>>>();
  return {
    keyLocks: (locks) => ({
      ...boundLocks(locks),
      recordIntent: async (key, holder, intent) => {
        if (intent) intents.set(`${key.namespace}/${key.name}`, intent);
        return await locks.recordIntent(key, holder, intent);
      },
    }),
    ...registryOf(ENGINES, (registry) => ({
      create: (resource, object, options) => {
        const owner = controllerOf(object)?.name ?? '';
        const intent = intents.get(`${object.metadata.namespace}/${owner}`);
        if (resource !== 'pods' || !intent) return registry.create(resource, object, options);
        for (const { name, uid } of plannedPods(intent, owner)) {
          if (sent.has(uid)) continue;
          const planned: NewObject = { ...object, metadata: { ...object.metadata, name, uid } };
          const outcome = registry.create<KubernetesObject>(resource, planned, options);
          outcome.catch(() => undefined);
          sent.set(uid, outcome);
        }
        return (sent.get(object.metadata.uid ?? '') ?? registry.create(resource, object, options)) as never;
      },
    })),
  };
}

function withReadyAvailable<T extends KubernetesObject>(object: T): T {
  const { spec, status } = object as unknown as ReplicaSet;
  const { readyReplicas = 0 } = status ?? {};
  if ((spec?.minReadySeconds ?? 0) > 0 || readyReplicas === 0) return object;
  return { ...object, status: { ...status, availableReplicas: readyReplicas } };
}

function withNextRevision(object: NewObject): NewObject {
  const { [REVISION]: revision = '0', ...others } = object.metadata.annotations ?? {};
  const annotations = { ...others, [REVISION]: String(Number(revision) + 1) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function uncounted(object: KubernetesObject, original: KubernetesObject | undefined): KubernetesObject {
  const { collisionCount: _, ...status } = (object['status'] ?? {}) as { collisionCount?: number };
  const before = (original?.['status'] ?? {}) as { collisionCount?: number };
  const kept = before.collisionCount === undefined ? {} : { collisionCount: before.collisionCount };
  return { ...object, status: { ...status, ...kept } };
}
