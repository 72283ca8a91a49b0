import { ROLLBACK_TO } from '../../objects/deploymentAnnotations.ts';
import { goQuote } from '../../objects/goQuote.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { templatesEqual, withoutHashLabel } from '../../objects/podTemplateHash.ts';
import { annotationsAfterRollback } from './copiedAnnotations.ts';
import type { EventText } from './Plan.ts';
import { lastRevision, parseRevision, revisionOf } from './revisions.ts';
import { allReplicaSets, type Rollout } from './Rollout.ts';

/** What a rollback came to: the Deployment without the request, rolled back or not, and what to tell of it. */
export interface RollbackDecision {
  readonly deployment: Deployment;
  readonly event: EventText;
}

/** `getRollbackTo`: the revision that a rollback was asked for to, 0 for the last one; `undefined` if none was. What is no number is no request. */
export function requestedRollback(deployment: Deployment): number | undefined {
  return parseRevision(deployment.metadata.annotations?.[ROLLBACK_TO] ?? '');
}

/**
 * `rollback`: gives the Deployment the template (and the annotations, so the change cause) of the ReplicaSet with that revision. The request is cleared in the
 * same write, whatever came of it, so it is never carried out twice. The revision number is counted up by the rollout that follows. Pure.
 */
export function decideRollback(rollout: Rollout, requested: number): RollbackDecision {
  const { deployment } = rollout;
  const replicaSets = allReplicaSets(rollout);
  const revision = requested === 0 ? lastRevision(replicaSets) : requested;
  if (revision === 0) return giveUp(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
  const target = replicaSets.find((replicaSet) => revisionOf(replicaSet) === revision);
  if (!target) {
    return giveUp(deployment, 'DeploymentRollbackRevisionNotFound', 'Unable to find the revision to rollback to.');
  }
  const name = goQuote(deployment.metadata.name);
  if (templatesEqual(deployment.spec?.template, target.spec?.template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`;
    return giveUp(deployment, 'DeploymentRollbackTemplateUnchanged', message);
  }
  const message = `Rolled back deployment ${name} to revision ${revision}`;
  return {
    deployment: withoutRequest(rolledBackTo(deployment, target)),
    event: { type: 'Normal', reason: 'DeploymentRollback', message },
  };
}

/** The Deployment with the template and the annotations of that ReplicaSet. Pure. */
export function rolledBackTo(deployment: Deployment, target: ReplicaSet): Deployment {
  const template = withoutHashLabel(target.spec?.template ?? {});
  return {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: { ...annotationsAfterRollback(deployment, target) } },
    spec: { ...deployment.spec, template } as NonNullable<Deployment['spec']>,
  };
}

function giveUp(deployment: Deployment, reason: string, message: string): RollbackDecision {
  return { deployment: withoutRequest(deployment), event: { type: 'Warning', reason, message } };
}

function withoutRequest(deployment: Deployment): Deployment {
  const { [ROLLBACK_TO]: _, ...annotations } = deployment.metadata.annotations ?? {};
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
