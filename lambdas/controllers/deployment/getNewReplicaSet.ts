import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { findCondition, withCondition } from '../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { ReplicaSet } from '../../objects/kinds.ts';
import { POD_TEMPLATE_HASH_LABEL, podTemplateHash } from '../../objects/pods/podTemplateHash.ts';
import { formatTime } from '../../ports/Clock.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import type { Reason } from '../Reason.ts';
import type { Conditions } from './calculateStatus.ts';
import { conditionsChanged, type Outcome, type RolloutOutcome, statusOnly } from './Plan.ts';
import { newReplicaSetAnnotations, nextRevision, replicasAnnotations } from './replicaSetAnnotations.ts';
import { findRollout, type Rollout, type World } from './Rollout.ts';
import { PROGRESSING, progressDeadlineMs, progressing, RESUMED } from './syncRolloutStatus.ts';

/**
 * `getNewReplicaSet` and its caller `getAllReplicaSetsAndSyncRevision`, pure and in parts: a ReplicaSet that exists gets its revision, a step starts the clock of its
 * rollout, and later steps create one that does not exist. Kubernetes writes each of these at once.
 */

/** A DNS subdomain's length: the limit for any object's name. */
const MAX_NAME_LENGTH = 253;

/** `getAllReplicaSetsAndSyncRevision`: the ReplicaSets by role. The new one has its revision already, which is still to be written. */
export function getAllReplicaSetsAndSyncRevision({ deployment, replicaSets }: World): Rollout {
  return withNewRevision(findRollout(deployment, replicaSets));
}

/**
 * The rollout in which the new ReplicaSet's revision is the highest, its annotations are those of the Deployment, and `minReadySeconds` follows. The very same rollout if nothing
 * changes. Pure.
 */
export function withNewRevision(rollout: Rollout): Rollout {
  const { deployment, newReplicaSet, oldReplicaSets } = rollout;
  if (!newReplicaSet) return rollout;
  const current = newReplicaSet.metadata.annotations ?? {};
  const annotations = newReplicaSetAnnotations(deployment, current, nextRevision(oldReplicaSets));
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const sameMinReadySeconds = (newReplicaSet.spec?.minReadySeconds ?? 0) === minReadySeconds;
  if (jsonEqual(annotations, current) && sameMinReadySeconds) return rollout;
  const synced: ReplicaSet = {
    ...newReplicaSet,
    metadata: { ...newReplicaSet.metadata, annotations },
    ...(!sameMinReadySeconds && {
      spec: { ...newReplicaSet.spec, minReadySeconds } as NonNullable<ReplicaSet['spec']>,
    }),
  };
  return { ...rollout, newReplicaSet: synced };
}

/**
 * Step: the ReplicaSet exists, but the Deployment has no Progressing condition, because the ReplicaSet was adopted or the deadline was added later. That condition starts the
 * clock of the deadline, so it is written first.
 */
export function foundNewReplicaSet({ deployment, nowMs }: World, rollout: Rollout): Outcome | undefined {
  const conditions = foundConditions(rollout, nowMs);
  if (!conditionsChanged(deployment, conditions)) return undefined;
  return statusOnly(rollout, conditions, { reason: 'foundNewReplicaSet' });
}

/** Returns the conditions. If they lack a Progressing condition, adds one, which starts the clock of a rollout to an existing ReplicaSet. Pure. */
export function foundConditions(rollout: Rollout, nowMs: number): Conditions {
  const { deployment, newReplicaSet } = rollout;
  const conditions = deployment.status?.conditions ?? [];
  const needsNoClock =
    progressDeadlineMs(deployment) === undefined || findCondition(conditions, PROGRESSING) !== undefined;
  if (needsNoClock || !newReplicaSet) return conditions;
  const message = `Found new replica set ${goQuote(newReplicaSet.metadata.name)}`;
  return withCondition(conditions, progressing('True', 'FoundNewReplicaSet', message), formatTime(nowMs));
}

/** The number of replicas that the new ReplicaSet is created with. */
export interface FirstSize {
  readonly replicas: number;
  readonly why: readonly Reason[];
}

/** The outcome that creates the new ReplicaSet, with the condition that starts the clock of its rollout. */
export function createNewReplicaSet(world: World, rollout: Rollout, { replicas, why }: FirstSize): RolloutOutcome {
  const create = newReplicaSet(rollout, replicas);
  const name = create.metadata.name ?? '';
  return {
    write: 'rollout',
    rollout,
    resizes: [],
    create,
    status: { from: 'conditions', conditions: createdConditions(world, name) },
    why: [{ reason: 'noReplicaSetWithTemplate', name }, ...why],
    waitsFor: [],
  };
}

/** Right after a resumption the condition stays, as recorded from Kubernetes: the resumption has started the clock already. */
function createdConditions({ deployment, nowMs }: World, name: string): Conditions {
  const conditions = deployment.status?.conditions ?? [];
  const resumed = findCondition(conditions, PROGRESSING)?.reason === RESUMED;
  if (progressDeadlineMs(deployment) === undefined || resumed) return conditions;
  const created = progressing('True', 'NewReplicaSetCreated', `Created new replica set ${goQuote(name)}`);
  return withCondition(conditions, created, formatTime(nowMs));
}

/**
 * The ReplicaSet to create for the Deployment's template. It is named by the template's hash, so that creating it twice creates it once. The hash is also a label of its pods and
 * part of its selector, which keeps its pods apart from those of other ReplicaSets. Pure.
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
        ...newReplicaSetAnnotations(deployment, {}, nextRevision(oldReplicaSets)),
        ...replicasAnnotations(deployment),
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
