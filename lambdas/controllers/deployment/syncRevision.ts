import { REVISION } from '../../objects/deploymentAnnotations.ts';
import { findCondition, withCondition } from '../../objects/deploymentConditions.ts';
import { goQuote } from '../../objects/goQuote.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { PROGRESSING, progressDeadlineMs, progressing } from './progress.ts';
import { maxRevision, newReplicaSetAnnotations } from './revisions.ts';
import type { Rollout } from './Rollout.ts';
import type { Conditions } from './status.ts';

/**
 * The part of `getAllReplicaSetsAndSyncRevision` for a new ReplicaSet that exists: its revision becomes the highest, the Deployment's annotations are copied to
 * it, and `minReadySeconds` follows. The ReplicaSet is the very same one if nothing changed. Pure.
 */
export function syncRevision(rollout: Rollout): Rollout {
  const { deployment, newReplicaSet, oldReplicaSets } = rollout;
  if (!newReplicaSet) return rollout;
  const current = newReplicaSet.metadata.annotations ?? {};
  const annotations = newReplicaSetAnnotations(deployment, current, maxRevision(oldReplicaSets) + 1);
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  const readinessStays = (newReplicaSet.spec?.minReadySeconds ?? 0) === minReadySeconds;
  if (jsonEqual(annotations, current) && readinessStays) return rollout;
  const synced: ReplicaSet = {
    ...newReplicaSet,
    metadata: { ...newReplicaSet.metadata, annotations },
    ...(!readinessStays && { spec: { ...newReplicaSet.spec, minReadySeconds } as NonNullable<ReplicaSet['spec']> }),
  };
  return { ...rollout, newReplicaSet: synced };
}

/** The Deployment with that revision in its annotation; the same one if it has it. Pure. */
export function withRevision(deployment: Deployment, revision: string | undefined): Deployment {
  const annotations = deployment.metadata.annotations ?? {};
  if (revision === undefined || annotations[REVISION] === revision) return deployment;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...annotations, [REVISION]: revision } },
  };
}

/** Starts the clock of a rollout that nobody has timed so far: its ReplicaSet was adopted, or the deadline is new. Pure. */
export function foundConditions(rollout: Rollout, nowMs: number): Conditions {
  const { deployment, newReplicaSet } = rollout;
  const conditions = deployment.status?.conditions ?? [];
  const timed = progressDeadlineMs(deployment) === undefined || findCondition(conditions, PROGRESSING) !== undefined;
  if (timed || !newReplicaSet) return conditions;
  const message = `Found new replica set ${goQuote(newReplicaSet.metadata.name)}`;
  return withCondition(conditions, progressing('True', 'FoundNewReplicaSet', message), formatTime(nowMs));
}
