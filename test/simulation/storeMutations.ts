import type { KubernetesObject, NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import { boundStore } from './boundStore.ts';
import { type Disguise, DisguisedStore } from './DisguisedStore.ts';
import type { Mutation, Seams } from './Mutation.ts';

const ENGINES: readonly ControllerName[] = ['replicaset', 'replicationcontroller'];

/** Defects of what controllers see and write. */
export const STORE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'surge-off-by-one',
    what: 'a replica set that grows gets one replica more than there is room for',
    seams: () =>
      disguised(['deployment'], { create: (object, resource) => grownByOne(object, resource), write: growByOne }),
  },
  {
    name: 'floor-off-by-one',
    what: 'a replica set that shrinks loses one replica more than can be spared',
    seams: () => disguised(['deployment'], { write: shrinkByOne }),
  },
  {
    name: 'stale-status-trusted',
    what: 'a rollout goes on without waiting until a replica set has observed its generation',
    seams: () =>
      disguised(['deployment'], {
        show: (object, resource) =>
          resource === 'replicasets.apps'
            ? withStatus(object, { ...statusOf(object), observedGeneration: object.metadata.generation })
            : object,
        write: (object, original, resource) =>
          resource === 'replicasets.apps' && original ? withStatus(object, original['status']) : object,
      }),
  },
  {
    name: 'unselected-adopted',
    what: 'an orphan is adopted without a look at its labels',
    seams: () => {
      let labels: Record<string, string> = {};
      return disguised(ENGINES, {
        show: (object, resource) => {
          if (resource !== 'pods') labels = (object as ReplicaSet).spec?.template?.metadata?.labels ?? labels;
          const isOrphan = resource === 'pods' && object.metadata.ownerReferences === undefined;
          return isOrphan ? withLabels(object, labels) : object;
        },
        write: (object, original, resource) =>
          resource === 'pods' && original ? withLabels(object, original.metadata.labels) : object,
      });
    },
  },
  {
    name: 'terminating-pods-counted',
    what: 'a pod that is being deleted counts as one that is there',
    seams: () =>
      disguised(ENGINES, {
        show: (object, resource) => {
          const { deletionTimestamp: _, ...metadata } = object.metadata;
          return resource === 'pods' ? { ...object, metadata } : object;
        },
      }),
  },
  {
    name: 'collector-trusts-names',
    what: 'the garbage collector takes any object of an owner’s name for the owner, whatever its UID',
    seams: () => {
      const uids = new Map<string, string>();
      return disguised(['garbagecollector'], {
        show: (object) => {
          for (const { name, uid } of object.metadata.ownerReferences ?? []) uids.set(name, uid);
          const uid = uids.get(object.metadata.name);
          return uid === undefined ? object : { ...object, metadata: { ...object.metadata, uid } };
        },
      });
    },
  },
  {
    name: 'no-tombstones',
    what: 'burning a name does nothing, so that a create which was given up on may still land',
    seams: () => ({
      objectStore: (store) => ({ ...boundStore(store), burn: async () => ({ status: 'burned' }) }),
    }),
  },
  {
    name: 'landed-burn-ignored',
    what: 'a name that was to be burned counts as burned though its pod exists by then',
    seams: () => ({
      objectStore: (store) => ({
        ...boundStore(store),
        burn: async (key, uid) => {
          await store.burn(key, uid);
          return { status: 'burned' };
        },
      }),
    }),
  },
  {
    name: 'blind-overwrite',
    what: 'a write that meets a conflict is repeated with the new version, over whatever was written meanwhile',
    seams: () => ({
      objectStore: (store, controller) =>
        controller === 'deployment' || controller === 'pod'
          ? {
              ...boundStore(store),
              replace: async (resource, object) => {
                const outcome = await store.replace(resource, object);
                if (outcome.status !== 'conflict' || outcome.current.metadata.uid !== object.metadata.uid)
                  return outcome;
                const { resourceVersion } = outcome.current.metadata;
                return await store.replace(resource, { ...object, metadata: { ...object.metadata, resourceVersion } });
              },
            }
          : store,
    }),
  },
  {
    name: 'stale-index',
    what: 'the index by owner forgets one pod, as an eventually consistent one might',
    seams: () => ({
      objectStore: (store, controller) =>
        ENGINES.includes(controller)
          ? {
              ...boundStore(store),
              list: async (resource, options) => {
                const page = await store.list(resource, options);
                const isIndexed = resource === 'pods' && options?.index !== undefined;
                return (isIndexed ? { ...page, items: page.items.slice(1) } : page) as never;
              },
            }
          : store,
    }),
  },
];

function disguised(controllers: readonly ControllerName[], disguise: Disguise): Seams {
  return {
    objectStore: (store, controller) =>
      controllers.includes(controller) ? new DisguisedStore(store, disguise) : store,
  };
}

function grownByOne(object: NewObject, resource: string): NewObject {
  const size = sizeOf(object);
  return resource === 'replicasets.apps' && size > 0 ? withSize(object, size + 1) : object;
}

function growByOne(object: KubernetesObject, original: KubernetesObject | undefined, resource: string) {
  const isGrowing = resource === 'replicasets.apps' && original && sizeOf(object) > sizeOf(original);
  return isGrowing ? withSize(object, sizeOf(object) + 1) : object;
}

function shrinkByOne(object: KubernetesObject, original: KubernetesObject | undefined, resource: string) {
  const isShrinking = resource === 'replicasets.apps' && original && sizeOf(object) < sizeOf(original);
  return isShrinking ? withSize(object, Math.max(0, sizeOf(object) - 1)) : object;
}

function sizeOf(object: NewObject): number {
  return (object['spec'] as ReplicaSet['spec'])?.replicas ?? 1;
}

function withSize<T extends NewObject>(object: T, replicas: number): T {
  return { ...object, spec: { ...(object['spec'] as object), replicas } };
}

function statusOf(object: KubernetesObject): object {
  return object['status'] ?? {};
}

function withStatus(object: KubernetesObject, status: unknown): KubernetesObject {
  return { ...object, status };
}

function withLabels(object: KubernetesObject, labels: Record<string, string> | undefined): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, ...(labels && { labels }) } };
}
