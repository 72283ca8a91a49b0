import { COMPLETED_REVISION, REVISION } from '../../../objects/deployments/deploymentAnnotations.ts';
import type { ConditionChange } from '../../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import type { Deployment } from '../../../objects/kinds.ts';
import { podTemplateHash } from '../../../objects/pods/podTemplateHash.ts';
import { completedMessage, NEW_REPLICA_SET_AVAILABLE, replicaSetSubject } from '../assessProgress.ts';
import type { Reason } from '../deploymentReasons.ts';
import type { EventText } from '../Plan.ts';
import type { Rollout } from '../Rollout.ts';
import { rollbackToTemplate } from '../rollback.ts';
import type { SizedReplicaSet } from '../SizedReplicaSet.ts';
import type { RolloutStep, Step } from '../Step.ts';
import type { AutoRollback } from './decideAutoRollback.ts';
import { type GivenUp, isAutoRollbackOn, withGivenUp } from './rollbackMemory.ts';

/** The condition of automatic rollback. It is absent unless a rollback was done, or failed to find a revision. */
const ROLLED_BACK = 'RolledBack';

/** Step: gives up on a rollout that has failed, and writes the template of the newest complete revision; or forgets an earlier failure. */
export function autoRollback(rollout: Rollout): Step | undefined {
  const change = changeOf(rollout);
  if (!change) return undefined;
  const { deployment, givenUp, events, why } = change;
  return { write: 'deployment', to: withGivenUp(deployment, givenUp), events, why };
}

interface Change {
  readonly deployment: Deployment;
  readonly givenUp: GivenUp | undefined;
  readonly events: readonly EventText[];
  readonly why: readonly Reason[];
}

function changeOf(rollout: Rollout): Change | undefined {
  const { deployment, autoRollback: verdict } = rollout;
  switch (verdict.action) {
    case 'forget':
      return { deployment, givenUp: undefined, events: [], why: [{ reason: 'templateChangedSinceGivenUp' }] };
    case 'rollBack':
      return rollBack(rollout, verdict.target, verdict.because);
    case 'none':
    case 'wentBack':
    case 'hold':
    case 'stay':
      return undefined;
  }
}

function rollBack({ deployment, newReplicaSet }: Rollout, target: SizedReplicaSet, because: string): Change {
  const back = rollbackToTemplate(deployment, target.stored);
  const path = `from revision ${revisionOf(newReplicaSet)} to revision ${revisionOf(target)}: ${because}`;
  const givenUp = {
    template: podTemplateHash(deployment.spec?.template ?? {}),
    wentBackTo: podTemplateHash(back.spec?.template ?? {}),
    message: `Rolled back ${path}`,
  };
  const message = `Rolled back deployment ${goQuote(deployment.metadata.name)} ${path}`;
  const events = [{ type: 'Warning', reason: 'DeploymentAutoRollback', message }] as const;
  return { deployment: back, givenUp, events, why: [{ reason: 'rollback', message }] };
}

function revisionOf(replicaSet: SizedReplicaSet | undefined): string {
  return replicaSet?.object.metadata.annotations?.[REVISION] ?? 'unknown';
}

/** How the RolledBack condition follows. Pure. */
export function rolledBackChange(verdict: AutoRollback): ConditionChange {
  switch (verdict.action) {
    case 'wentBack':
    case 'hold':
      return { set: { type: ROLLED_BACK, status: 'True', reason: 'AutoRollback', message: verdict.message } };
    case 'stay':
      return { set: { type: ROLLED_BACK, status: 'False', reason: 'NoCompleteRevision', message: verdict.message } };
    case 'none':
    case 'forget':
    case 'rollBack':
      return { remove: ROLLED_BACK };
  }
}

/**
 * The annotations that mark ReplicaSets as complete, by UID, so that it is known later. A plan knows it of the new one when it completes the rollout, and of the one before when it begins the next rollout. Pure.
 *
 * @param after the rollout after the step's resizes
 */
export function completedMarks(after: Rollout, { create, status }: RolloutStep): ReadonlyMap<string, Annotations> {
  if (!isAutoRollbackOn(after.deployment, after.progress.deadlineMs)) return new Map();
  const isComplete = status === 'progress' && after.progress.isComplete;
  const completed = after.all.filter((replicaSet) =>
    create === undefined ? isComplete && replicaSet === after.newReplicaSet : wasLastCompleted(after, replicaSet),
  );
  return new Map(completed.flatMap(markOf));
}

type Annotations = Readonly<Record<string, string>>;

/** None if it has the mark already, or is to have no pods. */
function markOf({ object, desired, uid }: SizedReplicaSet): [string, Annotations][] {
  const { [REVISION]: revision, [COMPLETED_REVISION]: marked } = object.metadata.annotations ?? {};
  if (desired === 0 || revision === undefined || revision === marked) return [];
  return [[uid, { [COMPLETED_REVISION]: revision }]];
}

/**
 * True if the last complete rollout led to this ReplicaSet, according to the Deployment's condition. Automatic rollback may be turned on together with a new template: then only
 * the condition says so, and only until the new rollout overwrites it.
 */
function wasLastCompleted({ progress }: Rollout, { name }: SizedReplicaSet): boolean {
  const { condition } = progress;
  return (
    condition?.reason === NEW_REPLICA_SET_AVAILABLE && condition.message === completedMessage(replicaSetSubject(name))
  );
}
