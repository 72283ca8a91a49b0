import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { nameOf, type World } from '../World.ts';

/** The expressions of every policy have been looked at in their newest form. */
export function uncheckedPolicy(world: World): string | undefined {
  const policies = world.all<KubernetesObject & { status?: { observedGeneration?: number } }>(
    'ValidatingAdmissionPolicy',
  );
  const unchecked = policies.find(({ metadata, status }) => status?.observedGeneration !== metadata.generation);
  return unchecked && `${nameOf(unchecked)} was not checked: ${JSON.stringify(unchecked.status)}`;
}
