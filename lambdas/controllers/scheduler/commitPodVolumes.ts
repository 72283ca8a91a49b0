import { type KubernetesObject, namespacedName } from '../../objects/KubernetesObject.ts';
import type { Node } from '../../objects/kinds.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import { volumeBoundTo } from '../persistentvolume/boundPair.ts';
import { type Committed, mergeCommitted } from '../Committed.ts';
import { refused } from './refused.ts';
import { withSelectedNode } from './framework/Volumes.ts';
import type { PodVolumes } from './plugins/findPodVolumes.ts';

/** Reserves the volumes for the claims, and tells the provisioners of the other claims for which node their volumes are to be made: Kubernetes' `bindAPIUpdate`. The volumes' controller and the provisioners do the rest. */
export async function commitPodVolumes(
  registry: GuardedRegistry,
  { bindings, provisions }: PodVolumes,
  { metadata: { name } }: Node,
): Promise<Partial<Committed>> {
  const reserved = bindings.map(({ volume, claim }) => {
    const what = `reserve persistentvolumes ${volume.metadata.name} for ${namespacedName(claim)}`;
    return commitChange(registry, 'persistentvolumes', volume, volumeBoundTo(volume, claim), what);
  });
  const selected = provisions.map((claim) => {
    const what = `select node ${name} for persistentvolumeclaims ${namespacedName(claim)}`;
    return commitChange(registry, 'persistentvolumeclaims', claim, withSelectedNode(claim, name), what);
  });
  return mergeCommitted(await Promise.all([...reserved, ...selected]));
}

async function commitChange<T extends KubernetesObject>(
  registry: GuardedRegistry,
  resource: string,
  from: T,
  to: T,
  what: string,
): Promise<Partial<Committed>> {
  if (to === from) return {};
  const outcome = await registry.update<T>(resource, to, { from });
  return outcome.status === 'refused' ? refused(outcome.error) : { writes: [what] };
}
