import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { orphansSelected } from '../../objects/indexes.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Pod } from '../../objects/kinds.ts';
import type { RegistryReader } from '../GuardedWriters.ts';

/** Lists the pods that `owner` controls, in every state. The read is strong. */
export async function podsOf(registry: RegistryReader, { metadata }: KubernetesObject): Promise<readonly Pod[]> {
  const { namespace = '', name: ownerName, uid } = metadata;
  const index = { name: 'controller', value: uid, ownerName } as const;
  return (await registry.list<Pod>('pods', { namespace, index })).items;
}

/**
 * Lists the pods of the namespace that have no controller, at least those that the selector matches. The read is strong. A namespace may have thousands of orphans: a ReplicaSet of a Deployment and a Job read only
 * those of their own template.
 */
export async function orphansFor(
  registry: RegistryReader,
  namespace: string,
  selector: LabelSelector | undefined,
): Promise<readonly Pod[]> {
  const value = orphansSelected(selector?.matchLabels);
  const index =
    value === undefined ? ({ name: 'controller', value: '' } as const) : ({ name: 'selects', value } as const);
  return (await registry.list<Pod>('pods', { namespace, index })).items;
}
