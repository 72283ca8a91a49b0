import type { HorizontalPodAutoscaler } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { AutoscalerMemory } from '../../lambdas/controllers/podautoscaler/AutoscalerMemory.ts';
import type { Intent, KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation } from './Mutation.ts';

type Memory = AutoscalerMemory;

/** Defects in what an autoscaler remembers, and in the bounds that it keeps. */
export const AUTOSCALER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'scale-events-forgotten',
    what: 'an autoscaler forgets by how much it changed the replicas',
    seams: () => ({ keyLocks: (locks) => forgetting(locks, (memory) => ({ ...memory, events: [] })) }),
  },
  {
    name: 'recommendations-forgotten',
    what: 'an autoscaler forgets what it recommended before its last recommendation',
    seams: () => ({ keyLocks: (locks) => forgetting(locks, (memory) => ({ ...memory, past: [] })) }),
  },
  {
    name: 'largest-size-ignored',
    what: 'an autoscaler may have more replicas than its maxReplicas',
    seams: () => ({
      registry: (registry, controller) =>
        controller === 'horizontalpodautoscaler'
          ? { ...boundRegistry(registry), get: async (key) => unbounded(await registry.get(key)) as never }
          : registry,
    }),
  },
  {
    name: 'last-scale-forgotten',
    what: 'an autoscaler that leaves the replicas as they are takes the time of its last change out of its status',
    seams: () => ({
      registry: (registry, controller) =>
        controller === 'horizontalpodautoscaler'
          ? {
              ...boundRegistry(registry),
              update: (resource, object, options) =>
                registry.update(resource, withoutLastScale(object, options?.from), options),
            }
          : registry,
    }),
  },
];

/** The locks, which store less of an autoscaler's memory than they are given. */
function forgetting(locks: KeyLocks, less: (memory: Memory) => Memory): KeyLocks {
  const changed = (intent: Intent | undefined) => {
    const { autoscaling } = (intent?.memory ?? {}) as { readonly autoscaling?: Memory };
    return intent && autoscaling ? { ...intent, memory: { autoscaling: less(autoscaling) } } : intent;
  };
  return {
    acquire: (...given) => locks.acquire(...given),
    recordIntent: (key, holder, intent) => locks.recordIntent(key, holder, changed(intent)),
    release: (key, holder, { intent, ...item }, coveredMarks) => {
      const kept = changed(intent);
      return locks.release(key, holder, { ...item, ...(kept && { intent: kept }) }, coveredMarks);
    },
    overdue: (...given) => locks.overdue(...given),
    peek: (key) => locks.peek(key),
  };
}

function unbounded(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (object?.kind !== 'HorizontalPodAutoscaler') return object;
  const { spec } = object as HorizontalPodAutoscaler;
  return { ...object, spec: { ...spec, maxReplicas: 20 } };
}

/** The autoscaler without the time of its last change, unless this is a new one. */
function withoutLastScale<T extends KubernetesObject>(object: T, from: KubernetesObject | undefined): T {
  if (object.kind !== 'HorizontalPodAutoscaler') return object;
  const was: HorizontalPodAutoscaler | undefined = from;
  const is: HorizontalPodAutoscaler = object;
  const { lastScaleTime, ...status } = is.status ?? {};
  return lastScaleTime === was?.status?.lastScaleTime ? { ...object, status } : object;
}
