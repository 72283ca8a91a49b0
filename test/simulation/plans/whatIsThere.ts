import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { World } from '../World.ts';

/**
 * All objects but events and leases, each as its kind and its name, or as its owner's if its own was drawn. One pod of an owner may have gone in place of another. Pods that have ended are left out: how many failed on the way
 * may differ.
 */
export function whatIsThere(world: World): readonly string[] {
  return world
    .everything()
    .filter(({ kind }) => kind !== 'Event' && kind !== 'Lease')
    .filter((object) => object.kind !== 'Pod' || !isPodTerminal(object as Pod))
    .map((object) => {
      const { namespace = '', name, generateName } = object.metadata;
      const owner = controllerOf(object);
      if (name.startsWith('pvc-')) return `${object.kind} of a claim`;
      const isAnyOf = owner && object.kind === 'Pod' && owner.kind !== 'StatefulSet';
      return `${object.kind} ${namespace}/${isAnyOf ? `${owner.name}-*` : (generateName ?? name)}`;
    })
    .toSorted();
}
