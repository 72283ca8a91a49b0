import type { StatefulSet } from '../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import { boundRegistry } from './boundRegistry.ts';
import type { Mutation, Seams } from './Mutation.ts';

/** Defects in the order and the bounds in which a StatefulSet's pods come and go. */
export const STATEFUL_SET_MUTATIONS: readonly Mutation[] = [
  {
    name: 'ordered-pods-at-once',
    what: 'an ordered StatefulSet creates its pods without waiting for those with lower ordinals',
    seams: () => setRegistry((spec) => ({ ...spec, podManagementPolicy: 'Parallel' })),
  },
  {
    name: 'partition-ignored',
    what: 'a StatefulSet updates the pods below its partition, too',
    seams: () => setRegistry((spec) => withBounds(spec, { partition: 0 })),
  },
  {
    name: 'unavailable-off-by-one',
    what: 'a StatefulSet updates one pod more at once than may be unavailable',
    seams: () =>
      setRegistry((spec) => {
        const { maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {};
        return typeof maxUnavailable === 'number' ? withBounds(spec, { maxUnavailable: maxUnavailable + 1 }) : spec;
      }),
  },
];

type Spec = NonNullable<StatefulSet['spec']>;

/** The controller sees the set with another spec, which it does not write. */
function setRegistry(change: (spec: Spec) => Spec): Seams {
  return {
    registry: (registry, controller) => {
      if (controller !== 'statefulset') return registry;
      return {
        ...boundRegistry(registry),
        get: async (key) => changed(await registry.get(key), change) as never,
        update: (resource, object, { from, ...options } = {}) =>
          registry.update(
            resource,
            object,
            resource === 'statefulsets.apps' ? options : { ...options, ...(from && { from }) },
          ),
      };
    },
  };
}

function changed(object: KubernetesObject | undefined, change: (spec: Spec) => Spec): KubernetesObject | undefined {
  if (object?.kind !== 'StatefulSet') return object;
  const { spec } = object as StatefulSet;
  return spec ? { ...object, spec: change(spec) } : object;
}

function withBounds(spec: Spec, bounds: object): Spec {
  const { updateStrategy } = spec;
  if (updateStrategy?.type === 'OnDelete') return spec;
  return {
    ...spec,
    updateStrategy: { ...updateStrategy, rollingUpdate: { ...updateStrategy?.rollingUpdate, ...bounds } },
  };
}
