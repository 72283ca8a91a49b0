import type { StatefulSetStatus } from 'kubernetes-types/apps/v1.js';
import type { Pod, StatefulSet } from '../../objects/kinds.ts';
import { getPodRevision } from './podIdentity.ts';
import { desiredReplicas, isRunningAndAvailable, isRunningAndReady, isTerminating } from './setState.ts';

/** What a status is made of. */
export interface StatusFacts {
  readonly set: StatefulSet;
  /** Its pods after this sync's creates and deletes. */
  readonly pods: readonly Pod[];
  /** Names of the revisions. */
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
  readonly nowMs: number;
}

/** Returns the set's status: `updateStatus`, and `completeRollingUpdate` once all pods that the set wants have the new revision and are ready. A pod that is being deleted counts as a replica until it is gone. Pure. */
export function statefulSetStatus(facts: StatusFacts): StatefulSetStatus {
  const { set, pods, currentRevision, updateRevision, collisionCount, nowMs } = facts;
  const ready = pods.filter(isRunningAndReady);
  const staying = pods.filter((pod) => !isTerminating(pod));
  const ofRevision = (name: string) => staying.filter((pod) => getPodRevision(pod) === name).length;
  const { conditions } = set.status ?? {};
  const { generation } = set.metadata;
  return completeRollingUpdate(set, {
    ...(generation !== undefined && { observedGeneration: generation }),
    replicas: pods.length,
    readyReplicas: ready.length,
    currentReplicas: ofRevision(currentRevision),
    updatedReplicas: ofRevision(updateRevision),
    currentRevision,
    updateRevision,
    collisionCount,
    ...(conditions && { conditions }),
    availableReplicas: ready.filter((pod) => isRunningAndAvailable(set, pod, nowMs)).length,
  });
}

function completeRollingUpdate(set: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { replicas, readyReplicas, updatedReplicas = 0, updateRevision = '' } = status;
  const isRolling = (set.spec?.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  const wanted = desiredReplicas(set);
  const isComplete = [replicas, readyReplicas, updatedReplicas].every((count) => count === wanted);
  return isRolling && isComplete
    ? { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision }
    : status;
}

/** True if the stored status says the same. Zeros are left out when they are stored. Pure. */
export function isSameStatus(stored: StatefulSetStatus | undefined, status: StatefulSetStatus): boolean {
  return (
    FIELDS.every((field) => (stored?.[field] ?? 0) === (status[field] ?? 0)) && namesOf(stored) === namesOf(status)
  );
}

const FIELDS = [
  'observedGeneration',
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
  'collisionCount',
] as const;

function namesOf(status: StatefulSetStatus | undefined): string {
  return `${status?.currentRevision ?? ''} ${status?.updateRevision ?? ''}`;
}
