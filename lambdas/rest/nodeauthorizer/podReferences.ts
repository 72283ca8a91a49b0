import type { Container, Volume } from 'kubernetes-types/core/v1.js';
import type { Pod } from '../../objects/kinds.ts';

/** The kinds of objects that a node may read because one of its pods uses them. */
export type ReferencedResource =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'serviceaccounts'
  | 'resourceclaims';

/** True if the pod uses the object of its namespace with that name: as a volume, in its environment, to pull images, or as its identity. Pure. */
export function referencesObject(pod: Pod, resource: ReferencedResource, name: string): boolean {
  return namesOf(pod, resource).includes(name);
}

/** True if the pod uses any object of the resource. Pure. */
export function referencesAny(pod: Pod, resource: ReferencedResource): boolean {
  return namesOf(pod, resource).some((name) => name !== undefined && name !== '');
}

function namesOf(pod: Pod, resource: ReferencedResource): readonly (string | undefined)[] {
  const { metadata, spec } = pod;
  const volumes = spec?.volumes ?? [];
  const containers = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...((spec?.ephemeralContainers ?? []) as readonly Container[]),
  ];
  switch (resource) {
    case 'secrets':
      return [
        ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
        ...containers.flatMap(secretsOfContainer),
        ...volumes.flatMap(secretsOfVolume),
      ];
    case 'configmaps':
      return [...containers.flatMap(configMapsOfContainer), ...volumes.flatMap(configMapsOfVolume)];
    case 'persistentvolumeclaims':
      return volumes.map(({ name, persistentVolumeClaim, ephemeral }) =>
        ephemeral ? `${metadata.name}-${name}` : persistentVolumeClaim?.claimName,
      );
    case 'serviceaccounts':
      return [spec?.serviceAccountName ?? 'default'];
    case 'resourceclaims':
      return claimsOfDevices(pod);
  }
}

/** Those that the pod names, and those that were made for it from a template. */
function claimsOfDevices({ spec, status }: Pod): readonly (string | undefined)[] {
  return [
    ...(spec?.resourceClaims ?? []).map(
      (claim) => (claim as { readonly resourceClaimName?: string }).resourceClaimName,
    ),
    ...(status?.resourceClaimStatuses ?? []).map((claim) => claim.resourceClaimName),
  ];
}

function secretsOfContainer({ env = [], envFrom = [] }: Container) {
  return [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ];
}

function configMapsOfContainer({ env = [], envFrom = [] }: Container) {
  return [
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...envFrom.map(({ configMapRef }) => configMapRef?.name),
  ];
}

function secretsOfVolume(volume: Volume) {
  const { secret, projected, csi, rbd, cephfs, cinder, flexVolume, scaleIO, iscsi, storageos, azureFile } = volume;
  const references = [rbd, cephfs, cinder, flexVolume, scaleIO, iscsi, storageos].map((one) => one?.secretRef?.name);
  return [
    secret?.secretName,
    azureFile?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...references,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ];
}

function configMapsOfVolume({ configMap, projected }: Volume) {
  return [configMap?.name, ...(projected?.sources ?? []).map((source) => source.configMap?.name)];
}
