import { ROLLBACK_TO } from '../../objects/deployments/deploymentAnnotations.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { parseInteger } from '../../objects/selectors/labelRequirement.ts';
import { templatesEqual, withoutHashLabel } from '../../objects/pods/podTemplateHash.ts';
import { createNewReplicaSet } from './getNewReplicaSet.ts';
import type { EventText, Outcome, RolloutOutcome } from './Plan.ts';
import { annotationsAfterRollback, lastRevision, revisionOf } from './replicaSetAnnotations.ts';
import { isRollingUpdate } from './resolveFenceposts.ts';
import { decideRecreate, rolloutRecreate } from './rolloutRecreate.ts';
import { rolloutRolling } from './rolloutRolling.ts';
import { allReplicaSets, type Rollout, type World } from './Rollout.ts';

/** The Deployment without the request, rolled back or not, and the event about it. */
export interface RollbackDecision {
  readonly deployment: Deployment;
  readonly event: EventText;
}

/**
 * Step: `rollback`, pure: returns the Deployment instead of writing it. For a rollback that was requested by the annotation of older API versions; `kubectl rollout undo` writes
 * the template itself.
 */
export function rollback(world: World, rollout: Rollout): Outcome | undefined {
  const requested = getRollbackTo(world.deployment);
  if (requested === undefined) return undefined;
  if (!rollout.newReplicaSet) return createBeforeRollback(world, rollout);
  const { deployment, event } = decideRollback(rollout, requested);
  const why = [{ reason: 'rollback', message: event.message }] as const;
  return { write: 'deployment', to: deployment, events: [event], why };
}

/**
 * "The revision before this one" can be determined only after this one has a revision, so the new ReplicaSet is created first. A rolling update gives it as many replicas as there is
 * room for, as always, though the rollback may replace its template at once: with none it would delete orphaned pods that it adopts. Recreate gives it all replicas, too, unless old pods are left: those go first, so it
 * starts with none.
 */
function createBeforeRollback(world: World, rollout: Rollout): RolloutOutcome {
  if (isRollingUpdate(rollout.deployment)) return rolloutRolling(world, rollout);
  if (decideRecreate(rollout, world.pods).create) return rolloutRecreate(world, rollout);
  return createNewReplicaSet(world, rollout, { replicas: 0, why: [{ reason: 'startsWithNoneForRollback' }] });
}

/** `getRollbackTo`: the requested revision, 0 for the last one; `undefined` if none is requested. Text that is not an int64 is no request. */
export function getRollbackTo(deployment: Deployment): bigint | undefined {
  return parseInteger(deployment.metadata.annotations?.[ROLLBACK_TO]);
}

/**
 * Gives the Deployment the template and the annotations (and so the change cause) of the ReplicaSet with that revision. The request is cleared in the same write, whether it can
 * be met or not, so it is never carried out twice. The rollout that follows counts up the revision. Pure.
 */
export function decideRollback(rollout: Rollout, requested: bigint): RollbackDecision {
  const { deployment } = rollout;
  const replicaSets = allReplicaSets(rollout);
  const revision = requested === 0n ? lastRevision(replicaSets) : requested;
  if (revision === 0n) return refuse(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const target = replicaSets.find((replicaSet) => revisionOf(replicaSet) === revision);
  if (!target) {
    return refuse(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  }
  const name = goQuote(deployment.metadata.name);
  if (templatesEqual(deployment.spec?.template, target.spec?.template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`;
    return refuse(deployment, 'DeploymentRollbackTemplateUnchanged', message);
  }
  const message = `Rolled back deployment ${name} to revision ${revision}`;
  return {
    deployment: withoutRequest(rollbackToTemplate(deployment, target)),
    event: { type: 'Normal', reason: 'DeploymentRollback', message },
  };
}

/** `rollbackToTemplate`: the Deployment with the template and the annotations of that ReplicaSet. Pure. */
export function rollbackToTemplate(deployment: Deployment, target: ReplicaSet): Deployment {
  const template = withoutHashLabel(target.spec?.template ?? {});
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...annotationsAfterRollback(deployment, target) } },
    spec: { ...deployment.spec, template } as NonNullable<Deployment['spec']>,
  };
}

function refuse(deployment: Deployment, reason: string, message: string): RollbackDecision {
  return { deployment: withoutRequest(deployment), event: { type: 'Warning', reason, message } };
}

function withoutRequest(deployment: Deployment): Deployment {
  const { [ROLLBACK_TO]: _, ...annotations } = deployment.metadata.annotations ?? {};
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
