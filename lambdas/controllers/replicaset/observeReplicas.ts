import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Pod, ReplicaSet } from '../../objects/kinds.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { orphansFor, podsOf } from '../claim/candidatePods.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { ReplicaOwner, ReplicaOwnerKind } from './ReplicaOwner.ts';

/** The owner and the pods that concern it. All reads are strong. The owner is read first, so that no pod that an earlier sync created is missed. */
export interface ObservedReplicas {
  readonly owner: ReplicaOwner;
  /** Its pods, in every state. */
  readonly owned: readonly Pod[];
  /** The namespace's pods that have no controller, at least those that the owner selects. */
  readonly orphans: readonly Pod[];
}

/** Reads the owner, its pods and the orphans that it may adopt. Returns `undefined` if the owner is gone. */
export async function observeReplicas(
  registry: RegistryReader,
  kind: ReplicaOwnerKind,
  { namespace, name }: WorkKey,
): Promise<ObservedReplicas | undefined> {
  const owner = await registry.get<ReplicaOwner>({ resource: kind.resource, namespace, name });
  if (!owner) return undefined;
  const [owned, orphans] = await Promise.all([
    podsOf(registry, owner),
    orphansFor(registry, namespace, kind.selectorOf(owner)),
  ]);
  return { owner, owned, orphans };
}

/** Returns the pods of all ReplicaSets that have the same controller as this one. Its own are not read again, since it may have thousands. Returns none if it has no controller. */
export async function getIndirectlyRelatedPods(
  registry: RegistryReader,
  owner: ReplicaOwner,
  own: readonly Pod[],
): Promise<readonly Pod[]> {
  const controller = controllerOf(owner);
  if (!controller) return [];
  const namespace = owner.metadata.namespace ?? '';
  const index = { name: 'controller', value: controller.uid } as const;
  const related = await registry.list<ReplicaSet>('replicasets.apps', { namespace, index });
  const others = related.items.filter(({ metadata }) => metadata.uid !== owner.metadata.uid);
  const pods = await Promise.all(others.map((replicaSet) => podsOf(registry, replicaSet)));
  return [...own, ...pods.flat()];
}

/** Returns the UIDs of all pods that were listed. A create that an intent planned has landed if its UID is among them. */
export function seenUids({ owned, orphans }: ObservedReplicas): ReadonlySet<string> {
  return new Set([...owned, ...orphans].map(({ metadata }) => metadata.uid));
}
