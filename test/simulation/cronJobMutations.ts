import type { CronJob } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { boundRegistry } from './boundRegistry.ts';
import { boundStore } from './boundStore.ts';
import type { Mutation } from './Mutation.ts';

/** Defects in when a CronJob starts its Jobs. */
export const CRON_JOB_MUTATIONS: readonly Mutation[] = [
  {
    name: 'active-jobs-forgotten',
    what: 'a CronJob does not know which of its jobs are active',
    seams: () =>
      cronJobRegistry((registry) => ({
        get: async (key) => withoutActive(await registry.get(key)) as never,
      })),
  },
  {
    name: 'replaced-jobs-kept',
    what: 'a job that is to be replaced goes on beside the new one',
    seams: () =>
      cronJobRegistry((registry) => ({
        delete: async ({ resource, namespace, name }) =>
          ({ status: 'removed', object: await registry.get({ resource, namespace, name }) }) as never,
      })),
  },
  {
    name: 'jobs-replaced-by-name',
    what: 'a job that is to be replaced is deleted by its name, whichever job has it by then',
    seams: () =>
      cronJobRegistry((registry) => ({
        delete: (key, { onlyIfControlledBy: _owner, ...options } = {}) =>
          registry.delete(key, { ...options, preconditions: {} }),
      })),
  },
  {
    name: 'orphaned-jobs-deleted',
    what: 'a job is deleted as an old one of its CronJob although that has orphaned it meanwhile',
    seams: () =>
      cronJobRegistry((registry) => ({
        delete: (key, { onlyIfControlledBy: _owner, ...options } = {}) => registry.delete(key, options),
      })),
  },
  {
    name: 'late-runs-not-burned',
    what: 'the create of a run that is still under way is left to land beside the runs after it',
    seams: () => ({
      objectStore: (store, controller) =>
        controller === 'cronjob' ? { ...boundStore(store), burn: async () => ({ status: 'burned' }) } : store,
    }),
  },
];

type Registry = Parameters<typeof boundRegistry>[0];

function cronJobRegistry(change: (registry: Registry) => Partial<Registry>) {
  return {
    registry: (registry: Registry, controller: string) =>
      controller === 'cronjob' ? { ...boundRegistry(registry), ...change(registry) } : registry,
  };
}

function withoutActive(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (object?.kind !== 'CronJob') return object;
  const { active: _, ...status } = (object as CronJob).status ?? {};
  return { ...object, status };
}
