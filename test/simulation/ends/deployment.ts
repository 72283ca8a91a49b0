import {
  AUTO_ROLLBACK,
  COMPLETED_REVISION,
  GIVEN_UP,
} from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { podTemplateHash } from '../../../lambdas/objects/pods/podTemplateHash.ts';
import { NO_DEADLINE } from '../checks/Rollbacks.ts';
import { nameOf, type World } from '../World.ts';
import { canRun } from './canRun.ts';
import { isComplete } from './isComplete.ts';

/** Every Deployment is complete; one whose pods never become ready says that its deadline has passed, and has gone back if it was to. */
export function unmetDeployment(world: World, nowMs: number): string | undefined {
  for (const deployment of world.deployments()) {
    const wrong = unmetRollout(world, deployment, nowMs);
    if (wrong !== undefined) return `${nameOf(deployment)} ${wrong}: ${JSON.stringify(deployment.status)}`;
  }
  return undefined;
}

function unmetRollout(world: World, deployment: Deployment, nowMs: number): string | undefined {
  const kept = keptInstead(deployment);
  if (kept !== undefined) return wronglyHeld(world, deployment, kept);
  return canRun(deployment.spec?.template) ? incomplete(world, deployment, nowMs) : wronglyFailed(world, deployment);
}

/**
 * The hash of the template that runs in place of the one that the user asks for; `undefined` if the latter may be rolled out. An automatic rollback may give up on a template whose pods can run, because
 * faults held them up for longer than the progress deadline. If the user asks for the same template again, it stays in the spec and is not tried again.
 */
function keptInstead({ metadata, spec }: Deployment): string | undefined {
  const { [GIVEN_UP]: givenUp = '{}', [AUTO_ROLLBACK]: autoRollback } = metadata.annotations ?? {};
  if (autoRollback !== 'true' || spec?.progressDeadlineSeconds === NO_DEADLINE) return undefined;
  const { template, instead } = JSON.parse(givenUp) as Readonly<Record<string, string>>;
  return template === podTemplateHash(spec?.template ?? {}) ? instead : undefined;
}

/** What is kept has all replicas, if its pods can run, and the status says that the user's template has failed. */
function wronglyHeld(world: World, deployment: Deployment, kept: string): string | undefined {
  const { spec, status, metadata } = deployment;
  if (status?.observedGeneration !== metadata.generation) return 'has not observed its generation';
  const { reason, status: is } = conditionOf(deployment, 'Progressing') ?? {};
  if (is !== 'False' || reason !== 'ProgressDeadlineExceeded') return 'is not to be rolled out, but does not say so';
  const all = world.replicaSetsOf(deployment);
  const [running] = all.filter((one) => podTemplateHash(one.spec?.template ?? {}) === kept);
  if (!running) return 'is not to be rolled out, but what it went back to is gone';
  if (!canRun(running.spec?.template)) return undefined;
  const isWhole = all.every((one) => one.spec?.replicas === (one === running ? spec?.replicas : 0));
  return isWhole ? undefined : `is not to be rolled out, but ${running.metadata.name} does not have all replicas`;
}

function incomplete(world: World, deployment: Deployment, nowMs: number): string | undefined {
  if (!isComplete(world, deployment, nowMs)) return 'is not complete';
  const isTimed = deployment.spec?.progressDeadlineSeconds !== NO_DEADLINE;
  const unmet = ['Available', ...(isTimed ? ['Progressing'] : [])].find(
    (type) => conditionOf(deployment, type)?.status !== 'True',
  );
  return unmet && `is complete, but its condition ${unmet} does not say so`;
}

function conditionOf({ status }: Deployment, wanted: string) {
  return status?.conditions?.find(({ type }) => type === wanted);
}

/** A rollout whose pods never become ready has timed out, and went back if it was to. */
function wronglyFailed(world: World, deployment: Deployment): string | undefined {
  const { spec, status, metadata } = deployment;
  if (spec?.replicas === 0) return undefined;
  if (status?.observedGeneration !== metadata.generation) return 'has not observed its generation';
  if (spec?.progressDeadlineSeconds === NO_DEADLINE) return undefined;
  const { reason, status: is } = conditionOf(deployment, 'Progressing') ?? {};
  // A rollout to no replicas is complete at once, and one that was complete does not time out when it is scaled.
  if (reason === 'NewReplicaSetAvailable') return undefined;
  if (is !== 'False' || reason !== 'ProgressDeadlineExceeded') return 'cannot progress, but has not timed out';
  if (metadata.annotations?.[AUTO_ROLLBACK] !== 'true' || metadata.annotations[GIVEN_UP] !== undefined)
    return undefined;
  const target = world.replicaSetsOf(deployment).find((one) => isTarget(one, deployment));
  return target && `has timed out, but did not go back to ${target.metadata.name}, which was complete`;
}

function isTarget({ metadata, spec }: ReplicaSet, { metadata: deployment }: Deployment): boolean {
  const isLeaving = metadata.deletionTimestamp !== undefined || deployment.deletionTimestamp !== undefined;
  return !isLeaving && metadata.annotations?.[COMPLETED_REVISION] !== undefined && canRun(spec?.template);
}
