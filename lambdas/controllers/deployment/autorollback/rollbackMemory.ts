import {
  AUTO_ROLLBACK,
  COMPLETED_REVISION,
  GIVEN_UP,
  REVISION,
} from '../../../objects/deployments/deploymentAnnotations.ts';
import { findCondition } from '../../../objects/deployments/deploymentConditions.ts';
import type { Deployment, ReplicaSet } from '../../../objects/kinds.ts';
import { desiredReplicas } from '../replicaSets.ts';
import type { Rollout } from '../Rollout.ts';
import { completedMessage, NEW_REPLICA_SET_AVAILABLE, progressDeadlineMs, PROGRESSING } from '../syncRolloutStatus.ts';

/** Annotations in which automatic rollback remembers: on ReplicaSets which revisions were complete, and on the Deployment which template it gave up on. */

/** The annotation on the Deployment. It survives any crash, so that no rollback is done twice. */
export interface GivenUp {
  /** The hash of the template that was given up on. */
  readonly template: string;
  /** The hash of the template that the Deployment went back to. */
  readonly wentBackTo: string;
  /** The message of the condition. */
  readonly message: string;
}

/** Automatic rollback is off unless the annotation asks for it and there is a progress deadline. Without one, no failure of a rollout is ever reported. */
export function isAutoRollbackOn(deployment: Deployment): boolean {
  return deployment.metadata.annotations?.[AUTO_ROLLBACK] === 'true' && progressDeadlineMs(deployment) !== undefined;
}

/** The memory in the Deployment's annotation; `undefined` if the Deployment has no such annotation, or one that cannot be read. */
export function givenUpOf(deployment: Deployment): GivenUp | undefined {
  const text = deployment.metadata.annotations?.[GIVEN_UP];
  return text === undefined ? undefined : parseGivenUp(text);
}

/** The text is JSON; stored objects have `wentBackTo` under the name `instead`. */
export function parseGivenUp(text: string): GivenUp | undefined {
  try {
    const { template, instead, message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const readable = typeof template === 'string' && typeof instead === 'string' && typeof message === 'string';
    return readable ? { template, wentBackTo: instead, message } : undefined;
  } catch {
    // Written by someone else, so it has no meaning here.
    return undefined;
  }
}

/** The Deployment with that memory, or without any. */
export function withGivenUp(deployment: Deployment, givenUp: GivenUp | undefined): Deployment {
  const { [GIVEN_UP]: _, ...others } = deployment.metadata.annotations ?? {};
  const annotations = { ...others, ...(givenUp && { [GIVEN_UP]: encodeGivenUp(givenUp) }) };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

function encodeGivenUp({ template, wentBackTo, message }: GivenUp): string {
  return JSON.stringify({ template, instead: wentBackTo, message });
}

/** The rollout in which the ReplicaSets are marked whose rollout is known to have been complete, so that it is known later. Pure. */
export function markCompleted(rollout: Rollout, isCompleted: (replicaSet: ReplicaSet) => boolean): Rollout {
  if (!isAutoRollbackOn(rollout.deployment)) return rollout;
  const mark = (replicaSet: ReplicaSet): ReplicaSet => {
    const annotations = replicaSet.metadata.annotations ?? {};
    const revision = annotations[REVISION];
    const marked = revision === undefined || annotations[COMPLETED_REVISION] === revision;
    if (marked || desiredReplicas(replicaSet) === 0 || !isCompleted(replicaSet)) return replicaSet;
    const metadata = { ...replicaSet.metadata, annotations: { ...annotations, [COMPLETED_REVISION]: revision } };
    return { ...replicaSet, metadata };
  };
  const { deployment, newReplicaSet, oldReplicaSets } = rollout;
  return { deployment, newReplicaSet: newReplicaSet && mark(newReplicaSet), oldReplicaSets: oldReplicaSets.map(mark) };
}

/**
 * True if the last complete rollout led to this ReplicaSet, according to the Deployment's condition. Automatic rollback may be turned on together with a new template: then only
 * the condition says so, and only until the new rollout overwrites it. Pure.
 */
export function wasLastCompleted(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  return (
    condition?.reason === NEW_REPLICA_SET_AVAILABLE && condition.message === completedMessage(deployment, replicaSet)
  );
}
