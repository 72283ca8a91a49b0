import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';

/** What makes a new generation of most objects. Pure. */
export function specChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  return !jsonEqual(object['spec'], old['spec']);
}
