import type { PodDisruptionBudget } from '../../lambdas/controllers/disruption/expectedPods.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation } from './Mutation.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

/** Defects in what budgets for disruptions count, and in how evictions use them up. */
export const BUDGET_MUTATIONS: readonly Mutation[] = [
  {
    name: 'claims-without-condition',
    what: 'an eviction writes its claim on a budget over whatever others have claimed meanwhile',
    seams: () => ({
      evictions: (registry) => ({
        ...boundRegistry(registry),
        update: async (resource, object, options) => {
          if (resource !== BUDGETS) return await registry.update(resource, object, options);
          const { namespace = '', name } = object.metadata;
          const current = await registry.get({ resource, namespace, name });
          const resourceVersion = current?.metadata.resourceVersion ?? object.metadata.resourceVersion;
          return await registry.update(resource, withMetadata(object, { resourceVersion }), options);
        },
      }),
    }),
  },
  {
    name: 'outdated-budgets-trusted',
    what: 'an eviction relies on a budget that has changed since it was computed',
    seams: () => ({
      evictions: (registry) => ({
        ...boundRegistry(registry),
        list: async (resource, options) => {
          const { items, ...rest } = await registry.list(resource, options);
          return { ...rest, items: resource === BUDGETS ? items.map(asObserved) : items } as never;
        },
      }),
    }),
  },
  {
    name: 'evicted-pods-healthy',
    what: 'a pod that was evicted counts as healthy until its deletion shows',
    seams: () =>
      disruptionRegistry((registry) => ({
        get: async (key) => withoutEvicted(await registry.get(key)) as never,
      })),
  },
  {
    name: 'leaving-pods-healthy',
    what: 'a ready pod that is being deleted counts as healthy',
    seams: () =>
      disruptionRegistry((registry) => ({
        list: async (resource, options) => {
          const { items, ...rest } = await registry.list(resource, options);
          return { ...rest, items: items.map((pod) => withMetadata(pod, { deletionTimestamp: undefined })) } as never;
        },
      })),
  },
];

function disruptionRegistry(change: (registry: Registry) => Partial<Registry>) {
  return {
    registry: (registry: Registry, controller: string) =>
      controller === 'disruption' ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function withMetadata<T extends KubernetesObject>(object: T, metadata: Record<string, unknown>): T {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function asObserved(object: KubernetesObject): KubernetesObject {
  const { metadata, status } = object as PodDisruptionBudget;
  return { ...object, status: { ...status, observedGeneration: metadata.generation } };
}

function withoutEvicted(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (object?.kind !== 'PodDisruptionBudget') return object;
  const { disruptedPods: _, ...status } = (object as PodDisruptionBudget).status ?? {};
  return { ...object, status };
}
