import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import { POD_TEMPLATE_HASH_LABEL, podTemplateHash } from '../../objects/podTemplateHash.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { maxRevision, newReplicaSetAnnotations } from './revisions.ts';
import { type Rollout, replicaAnnotations } from './Rollout.ts';

/** A DNS subdomain's length: what any object's name may have. */
const MAX_NAME_LENGTH = 253;

/**
 * The ReplicaSet to create for the Deployment's template, with so many replicas. Named by the template's hash, so that creating it twice is creating it once; the
 * hash is also a label of its pods and part of its selector, which keeps it from its siblings' pods. Pure.
 */
export function newReplicaSet({ deployment, oldReplicaSets }: Rollout, replicas: number): NewObject {
  const template = deployment.spec?.template ?? {};
  const hash = podTemplateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH_LABEL]: hash };
  const selector = deployment.spec?.selector ?? {};
  const { minReadySeconds } = deployment.spec ?? {};
  const { namespace } = deployment.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: replicaSetName(deployment.metadata.name, hash),
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: {
        ...newReplicaSetAnnotations(deployment, {}, maxRevision(oldReplicaSets) + 1),
        ...replicaAnnotations(deployment),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } } satisfies PodTemplateSpec,
    },
  };
}

/** The hash stays whole; a Deployment's name that leaves no room for it is cut. */
function replicaSetName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, MAX_NAME_LENGTH - 1 - hash.length)}-${hash}`;
}
