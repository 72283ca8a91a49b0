import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { ConditionText } from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { ReplicaSet } from '../../objects/kinds.ts';
import { POD_TEMPLATE_HASH_LABEL, podTemplateHash } from '../../objects/pods/podTemplateHash.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { PROGRESSING, RESUMED } from './assessProgress.ts';
import { newReplicaSetAnnotations, nextRevision, replicasAnnotations, revisionIn } from './replicaSetAnnotations.ts';
import type { Rollout } from './Rollout.ts';

/** `getNewReplicaSet` and its caller `getAllReplicaSetsAndSyncRevision`, pure and in parts: a ReplicaSet that exists gets its revision, and one that does not exist is drafted. */

/** A ReplicaSet that a plan creates. */
export interface Creation {
  readonly replicaSet: NewObject;
  readonly name: string;
  readonly replicas: number;
  /** The condition to set; none if the clock runs already. */
  readonly condition: ConditionText | undefined;
}

/** A DNS subdomain's length: the limit for any object's name. */
const MAX_NAME_LENGTH = 253;

/**
 * `getAllReplicaSetsAndSyncRevision`: the rollout in which the new ReplicaSet's revision is the highest, its annotations are those of the Deployment, and `minReadySeconds` follows. The very same rollout if nothing
 * changes. A held template is not rolled out, so its ReplicaSet gets no new revision. Pure.
 */
export function getAllReplicaSetsAndSyncRevision(rollout: Rollout): Rollout {
  const { deployment, newReplicaSet: found, oldReplicaSets, autoRollback } = rollout;
  if (!found || autoRollback.action === 'hold') return rollout;
  const { metadata, spec } = found.stored;
  const current = metadata.annotations ?? {};
  const annotations = newReplicaSetAnnotations(deployment, current, nextRevision(oldReplicaSets));
  const revision = revisionIn(annotations);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const sameMinReadySeconds = (spec?.minReadySeconds ?? 0) === minReadySeconds;
  if (jsonEqual(annotations, current) && sameMinReadySeconds) return rollout;
  const object: ReplicaSet = {
    ...found.stored,
    metadata: { ...metadata, annotations },
    ...(!sameMinReadySeconds && { spec: { ...spec, minReadySeconds } as NonNullable<ReplicaSet['spec']> }),
  };
  const newReplicaSet = { ...found, object, revision };
  return { ...rollout, newReplicaSet, all: [...oldReplicaSets, newReplicaSet] };
}

/**
 * The new ReplicaSet, with the condition that starts the clock of its rollout. Right after a resumption the condition stays, as recorded from Kubernetes: the resumption has started the clock already. Pure.
 */
export function createNewReplicaSet(rollout: Rollout, replicas: number): Creation {
  const { deadlineMs, condition } = rollout.progress;
  const replicaSet = newReplicaSet(rollout, replicas);
  const { name = '' } = replicaSet.metadata;
  const keepsCondition = deadlineMs === undefined || condition?.reason === RESUMED;
  const message = `Created new replica set ${goQuote(name)}`;
  return {
    replicaSet,
    name,
    replicas,
    condition: keepsCondition
      ? undefined
      : { type: PROGRESSING, status: 'True', reason: 'NewReplicaSetCreated', message },
  };
}

/**
 * The ReplicaSet to create for the Deployment's template. It is named by the template's hash, so that creating it twice creates it once. The hash is also a label of its pods and
 * part of its selector, which keeps its pods apart from those of other ReplicaSets. Pure.
 */
export function newReplicaSet({ deployment, oldReplicaSets, desired, ceiling }: Rollout, replicas: number): NewObject {
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
        ...newReplicaSetAnnotations(deployment, {}, nextRevision(oldReplicaSets)),
        ...replicasAnnotations(desired, ceiling.bound),
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

/** The hash stays whole. A Deployment's name that leaves no room for it is cut. */
function replicaSetName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, MAX_NAME_LENGTH - 1 - hash.length)}-${hash}`;
}
