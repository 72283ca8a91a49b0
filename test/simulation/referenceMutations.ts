import type { ObjectKey } from '../../lambdas/objects/ObjectKey.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation } from './Mutation.ts';
import { dataOf } from './newWaiters.ts';

/** Defects in what pods wait for. */
export const REFERENCE_MUTATIONS: readonly Mutation[] = [
  {
    name: 'missing-keys-presumed',
    what: 'a pod starts when its ConfigMap or Secret exists, whatever keys it has',
    seams: () => ({
      registry: (registry, controller) =>
        controller === 'pod'
          ? {
              ...boundRegistry(registry),
              get: async (key) => withAllKeys(key, await registry.get(key)),
            }
          : registry,
    }),
  },
];

function withAllKeys<T extends object>({ resource }: ObjectKey, object: T | undefined): T | undefined {
  if (object === undefined || (resource !== 'configmaps' && resource !== 'secrets')) return object;
  return { ...object, data: { ...dataOf(true), ...('data' in object && (object.data as object)) } };
}
