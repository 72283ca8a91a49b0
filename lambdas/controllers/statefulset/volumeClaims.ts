import type { PersistentVolumeClaim as ApiClaim, Volume } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { getOrdinal } from './podIdentity.ts';

export type NewClaim = NewObject & Pick<ApiClaim, 'spec'> & { readonly metadata: { readonly name: string } };

/** The claims of one pod. */
interface ClaimName {
  /** The template's name, which is the name of the pod's volume. */
  readonly volume: string;
  /** `getPersistentVolumeClaimName` */
  readonly claim: string;
}

/** Returns the names of the claims of the set's pod with this ordinal, in the order of their templates: `data-web-0`. Pure. */
export function claimNames(set: StatefulSet, ordinal: number): readonly ClaimName[] {
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata }) => {
    const volume = metadata?.name ?? '';
    return { volume, claim: `${volume}-${set.metadata.name}-${ordinal}` };
  });
}

/** Returns the claims that the pod with this ordinal needs, as their templates describe them, with the labels that the set selects: `getPersistentVolumeClaims`. Pure. */
export function getPersistentVolumeClaims(set: StatefulSet, ordinal: number): readonly NewClaim[] {
  const names = claimNames(set, ordinal);
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata = {}, spec }, nth) => {
    const { annotations, finalizers } = metadata;
    const labels = { ...metadata.labels, ...set.spec?.selector.matchLabels };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: names[nth]?.claim ?? '',
        namespace: set.metadata.namespace ?? '',
        ...(Object.keys(labels).length > 0 && { labels }),
        ...(annotations && { annotations }),
        ...(finalizers && { finalizers }),
      },
      ...(spec && { spec }),
    };
  });
}

/** True if each claim of the pod is one of its volumes. Pure. */
export function storageMatches(set: StatefulSet, pod: Pod): boolean {
  const volumes = new Map((pod.spec?.volumes ?? []).map((volume) => [volume.name, volume]));
  return claimNames(set, getOrdinal(pod)).every(
    ({ volume, claim }) => volumes.get(volume)?.persistentVolumeClaim?.claimName === claim,
  );
}

/** Returns the volumes of the pod with this ordinal: its claims first, in place of volumes of the same names, then the others: `updateStorage`. Pure. */
export function volumesOf(set: StatefulSet, ordinal: number, others: readonly Volume[] = []): Volume[] {
  const names = claimNames(set, ordinal);
  const taken = new Set(names.map(({ volume }) => volume));
  return [
    ...names.map(({ volume, claim }) => ({ name: volume, persistentVolumeClaim: { claimName: claim } })),
    ...others.filter(({ name }) => !taken.has(name)),
  ];
}
