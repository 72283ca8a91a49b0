import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import { nameOf, type World } from '../World.ts';

/** What is on its way out is gone, and so is what lost its owner. An ended pod may stay with its owner: Kubernetes leaves those to their own collector. */
export function uncollectedGarbage(world: World): string | undefined {
  const objects = world.everything();
  const leaving = objects.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (leaving) return `${nameOf(leaving)} is still being deleted`;
  const dangling = objects.find((object) => {
    const owner = controllerOf(object);
    return owner && !world.byUid(owner.uid);
  });
  return dangling && `${nameOf(dangling)} has outlived its owner`;
}
