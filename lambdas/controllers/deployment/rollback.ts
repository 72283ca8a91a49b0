import { ROLLBACK_TO } from '../../objects/deployments/deploymentAnnotations.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { withoutHashLabel } from '../../objects/pods/podTemplateHash.ts';
import type { EventText } from './Plan.ts';
import { annotationsAfterRollback, lastRevision } from './replicaSetAnnotations.ts';
import { rollOutTemplate } from './rollOutTemplate.ts';
import type { Rollout } from './Rollout.ts';
import { NO_SCALING, type Step } from './Step.ts';

/** The Deployment without the request, rolled back or not, and the event about it. */
export interface RollbackDecision {
  readonly deployment: Deployment;
  readonly event: EventText;
}

/**
 * Step: `rollback`, pure: returns the Deployment instead of writing it. For a rollback that was requested by the annotation of older API versions; `kubectl rollout undo` writes
 * the template itself.
 */
export function rollback(rollout: Rollout): Step | undefined {
  if (rollout.rollbackTo === undefined) return undefined;
  return rollout.newReplicaSet
    ? writeRollback(decideRollback(rollout, rollout.rollbackTo))
    : createBeforeRollback(rollout);
}

function writeRollback({ deployment: to, event }: RollbackDecision): Step {
  return { write: 'deployment', to, events: [event], why: [{ reason: 'rollback', message: event.message }] };
}

/**
 * "The revision before this one" can be determined only after this one has a revision, so the new ReplicaSet is created first. A rolling update gives it as many replicas as there is
 * room for, as always, though the rollback may replace its template at once: with none it would delete orphaned pods that it adopts. Recreate gives it all replicas, too, unless old pods are left: those go first, so it
 * starts with none.
 */
function createBeforeRollback(rollout: Rollout): Step {
  const step = rollOutTemplate(rollout);
  if (rollout.isRollingUpdate || step.create !== undefined) return step;
  const why = [{ reason: 'startsWithNoneForRollback' }] as const;
  return { write: 'rollout', ...NO_SCALING, create: 0, why, status: 'counts' };
}

/**
 * Gives the Deployment the template and the annotations (and so the change cause) of the ReplicaSet with that revision. The request is cleared in the same write, whether it can
 * be met or not, so it is never carried out twice. The rollout that follows counts up the revision. Pure.
 */
export function decideRollback(rollout: Rollout, requested: bigint): RollbackDecision {
  const { deployment, all } = rollout;
  const revision = requested === 0n ? lastRevision(all) : requested;
  if (revision === 0n) return refuse(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const target = all.find((replicaSet) => replicaSet.revision === revision);
  if (!target) {
    return refuse(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  }
  const name = goQuote(deployment.metadata.name);
  if (target.hasTemplate) {
    const message = `The rollback revision contains the same template as current deployment ${name}`;
    return refuse(deployment, 'DeploymentRollbackTemplateUnchanged', message);
  }
  const message = `Rolled back deployment ${name} to revision ${revision}`;
  return {
    deployment: withoutRequest(rollbackToTemplate(deployment, target.object)),
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
