import type { PersistentVolume } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** True if a node needs the secret to mount the volume: Kubernetes' `VisitPVSecretNames`. The secrets by which a controller attaches or grows a volume are none of the node's. A reference without a namespace is to that of the claim. Pure. */
export function volumeUsesSecret({ spec }: Stored<PersistentVolume>, namespace: string, name: string): boolean {
  const own = spec?.claimRef?.namespace;
  return secretsOf(spec).some((secret) => secret.name === name && (secret.namespace ?? own) === namespace);
}

function secretsOf(spec: PersistentVolume['spec']): readonly SecretReference[] {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec ?? {};
  const references: readonly (SecretReference | undefined)[] = [
    ...[cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].map((source) => source?.secretRef),
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
    azureFile && {
      name: azureFile.secretName,
      ...(azureFile.secretNamespace && { namespace: azureFile.secretNamespace }),
    },
  ];
  return references.filter((reference) => reference !== undefined);
}
