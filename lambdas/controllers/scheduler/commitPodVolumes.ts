import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node } from '../../objects/kinds.ts';
import type { GuardedRegistry } from '../guardWrites.ts';
import { volumeBoundTo } from '../persistentvolume/boundPair.ts';
import { type Committed, merged, NOTHING_COMMITTED, refused } from './Committed.ts';
import { type Claim, withSelectedNode } from './framework/Volumes.ts';
import type { PodVolumes } from './plugins/findPodVolumes.ts';

/** Reserves the volumes for the claims, and tells the provisioners of the other claims for which node their volumes are to be made: Kubernetes' `bindAPIUpdate`. The volumes' controller and the provisioners do the rest. */
export async function commitPodVolumes(
  registry: GuardedRegistry,
  { bindings, provisions }: PodVolumes,
  { metadata: { name } }: Node,
): Promise<Committed> {
  const reserved = bindings.map(({ volume, claim }) => {
    const what = `reserve persistentvolumes ${volume.metadata.name} for ${namespacedName(claim)}`;
    return commitChange(registry, 'persistentvolumes', volume, volumeBoundTo(volume, claim), what);
  });
  const selected = provisions.map((claim) => {
    const what = `select node ${name} for persistentvolumeclaims ${namespacedName(claim)}`;
    return commitChange(registry, 'persistentvolumeclaims', claim, withSelectedNode(claim, name), what);
  });
  return merged(await Promise.all([...reserved, ...selected]));
}

async function commitChange<T extends KubernetesObject>(
  registry: GuardedRegistry,
  resource: string,
  from: T,
  to: T,
  what: string,
): Promise<Committed> {
  if (to === from) return NOTHING_COMMITTED;
  const outcome = await registry.update<T>(resource, to, { from });
  return outcome.status === 'refused' ? refused(outcome.error) : { ...NOTHING_COMMITTED, writes: [what] };
}

function namespacedName({ metadata }: Claim): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
