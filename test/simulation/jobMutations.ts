import type { Job, Pod } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation } from './Mutation.ts';

/** Defects in how a Job counts its pods and how many it runs. */
export const JOB_MUTATIONS: readonly Mutation[] = [
  {
    name: 'pods-counted-when-named',
    what: 'a Job counts a failed pod when its status names it, and again when its finalizer is gone',
    seams: () =>
      jobRegistry((registry) => ({
        update: (resource, object, options) => {
          const { status } = object as unknown as Job;
          const { failed: named = [] } = status?.uncountedTerminatedPods ?? {};
          if (resource !== 'jobs.batch' || named.length === 0) return registry.update(resource, object, options);
          const counted = { ...status, failed: (status?.failed ?? 0) + named.length };
          return registry.update(resource, { ...object, status: counted }, options);
        },
      })),
  },
  {
    name: 'finalizers-first',
    what: 'the pods of a Job lose their finalizers before its status names them',
    seams: () =>
      jobRegistry((registry) => ({
        update: async (resource, object, options) => {
          const { succeeded, failed } = (object as unknown as Job).status?.uncountedTerminatedPods ?? {};
          if (resource !== 'jobs.batch' || !(succeeded ?? failed))
            return await registry.update(resource, object, options);
          return { status: 'stored', object } as never;
        },
      })),
  },
  {
    name: 'parallelism-off-by-one',
    what: 'a Job runs one pod more than its parallelism',
    seams: () =>
      jobRegistry((registry) => ({
        get: async (key) => withMoreParallelism(await registry.get(key)) as never,
      })),
  },
  {
    name: 'releases-presumed',
    what: 'a pod that changed while its finalizer was to go is taken for released, and the pods of a Job that is gone stay held',
    seams: () =>
      jobRegistry((registry) => ({
        get: async (key) => {
          const object = await registry.get(key);
          return (key.resource === 'pods' && object ? withoutFinalizers(object) : object) as never;
        },
      })),
  },
  {
    name: 'releases-by-name',
    what: 'a Job that reads a pod anew, to remove its finalizer, takes whichever pod has its name by then',
    seams: () => {
      const judged = new Map<string, string>();
      const real = new WeakMap<object, KubernetesObject>();
      const named = ({ metadata }: KubernetesObject) => `${metadata.namespace}/${metadata.name}`;
      return {
        registry: (registry, controller) =>
          controller !== 'job'
            ? registry
            : {
                ...boundRegistry(registry),
                list: (async (resource: string, options?: Parameters<typeof registry.list>[1]) => {
                  const list = await registry.list(resource, options);
                  if (resource === 'pods') for (const pod of list.items) judged.set(named(pod), pod.metadata.uid);
                  return list;
                }) as typeof registry.list,
                get: async (key) => {
                  const object = await registry.get(key);
                  if (key.resource !== 'pods' || !object) return object as never;
                  const seen = {
                    ...object,
                    metadata: { ...object.metadata, uid: judged.get(named(object)) ?? object.metadata.uid },
                  };
                  real.set(seen, object);
                  return seen as never;
                },
                update: async (resource, object, options) => {
                  const from = real.get(options?.from ?? {});
                  if (!from) return await registry.update(resource, object, options);
                  const { uid } = from.metadata;
                  const meant = { ...object, metadata: { ...object.metadata, uid } };
                  return await registry.update(resource, meant, { ...options, from } as never);
                },
              },
      };
    },
  },
];

type Registry = Parameters<typeof boundRegistry>[0];

function jobRegistry(change: (registry: Registry) => Partial<Registry>) {
  return {
    registry: (registry: Registry, controller: string) =>
      controller === 'job' ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function withMoreParallelism(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (object?.kind !== 'Job') return object;
  const { spec } = object as Job;
  return { ...object, spec: { ...spec, parallelism: (spec?.parallelism ?? 1) + 1 } };
}

function withoutFinalizers(pod: Pod): Pod {
  const { finalizers: _, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}
