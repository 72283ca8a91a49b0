import type { ApiError } from '../objects/ApiError.ts';
import { conflict } from '../objects/apiErrors.ts';
import type { KubernetesObject } from '../objects/KubernetesObject.ts';
import type { Pod } from '../objects/kinds.ts';

export type BindingDecision =
  | { readonly decision: 'refuse'; readonly error: ApiError }
  | { readonly decision: 'replace'; readonly object: KubernetesObject };

/**
 * What a scheduler's binding of `old` to the node that `bound` names comes to: Kubernetes' `assignPod`. Only the node is taken, so nothing else has to be validated
 * again, and it is no new generation. Pure.
 */
export function decideBinding(bound: Pod, old: Pod): BindingDecision {
  const { name, deletionTimestamp } = old.metadata;
  const refused = (why: string) => ({ decision: 'refuse' as const, error: conflict('pods/binding', name, why) });
  if (deletionTimestamp !== undefined) return refused(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (old.spec?.nodeName)
    return refused(`pod ${name} is already assigned to node ${JSON.stringify(old.spec.nodeName)}`);
  return { decision: 'replace', object: { ...old, spec: { ...old.spec, nodeName: bound.spec?.nodeName } } };
}
