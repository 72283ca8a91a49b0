import { COMPLETED_REVISION, GIVEN_UP, REVISION } from '../../objects/deploymentAnnotations.ts';
import { findCondition } from '../../objects/deploymentConditions.ts';
import { goQuote } from '../../objects/goQuote.ts';
import { controllerOf } from '../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../objects/kinds.ts';
import { podTemplateHash } from '../../objects/podTemplateHash.ts';
import { givenUpOf, isAutoRollbackOn, withGivenUp } from './GivenUp.ts';
import { permanentFailure } from './permanentFailure.ts';
import type { EventText } from './Plan.ts';
import { PROGRESSING, TIMED_OUT, timedOutMessage } from './progress.ts';
import { availableReplicas, desiredReplicas } from './replicaCounts.ts';
import { byRevision } from './replicaSetOrder.ts';
import { rolledBackTo } from './rollback.ts';
import { type Rollout, rolloutTo, type World } from './Rollout.ts';

export type AutoRollback =
  /** It has no part in this sync. */
  | { readonly action: 'none' }
  /** The template that was given up on is the user's past: it may be tried again. */
  | { readonly action: 'forget'; readonly deployment: Deployment }
  | { readonly action: 'rollBack'; readonly deployment: Deployment; readonly event: EventText }
  /** Went back, and rolls (or has rolled) to what it went back to. */
  | { readonly action: 'wentBack'; readonly message: string }
  /** The user asks again for the template that was given up on: `rollout` rolls to what it went back to instead. */
  | { readonly action: 'hold'; readonly rollout: Rollout; readonly message: string }
  /** The rollout has failed, but no other revision was ever complete. */
  | { readonly action: 'stay'; readonly message: string };

/**
 * Automatic rollback, the first TODO of Kubernetes' controller. A rollout that exceeds its progress deadline, or that can never end, goes back to the newest
 * revision that was once complete, and the template is remembered as given up on.
 *
 * It never fights the user. It goes back once: should the older revision fail as well, it stays there. A tool that keeps applying the same manifest finds its
 * template in the spec, where it is left, but not rolled out, until it changes; any change, as `kubectl rollout restart` makes one, is a new try, and so is turning
 * automatic rollback off. Pure.
 */
export function decideAutoRollback(rollout: Rollout, { replicaSets, pods }: World): AutoRollback {
  const { deployment, newReplicaSet } = rollout;
  const givenUp = givenUpOf(deployment);
  if (!isAutoRollbackOn(deployment)) return forgetIfAny(deployment);
  if (givenUp) {
    const hash = podTemplateHash(deployment.spec?.template ?? {});
    if (hash === givenUp.instead) return { action: 'wentBack', message: givenUp.message };
    const instead = replicaSets.find(({ spec }) => podTemplateHash(spec?.template ?? {}) === givenUp.instead);
    if (hash !== givenUp.template || !instead) return forgetIfAny(deployment);
    return { action: 'hold', rollout: rolloutTo(deployment, replicaSets, instead), message: givenUp.message };
  }
  const because = newReplicaSet && whyGiveUp(deployment, newReplicaSet, pods);
  if (!newReplicaSet || because === undefined) return forgetIfAny(deployment);
  const target = newestComplete(rollout);
  if (!target) return { action: 'stay', message: `No other revision was ever complete: ${because}` };
  return rollBack(deployment, newReplicaSet, target, because);
}

function forgetIfAny(deployment: Deployment): AutoRollback {
  if (deployment.metadata.annotations?.[GIVEN_UP] === undefined) return { action: 'none' };
  return { action: 'forget', deployment: withGivenUp(deployment, undefined) };
}

/** The reported timeout must be this ReplicaSet's: right after the user went back by hand, the condition still tells of the one before. */
function whyGiveUp(deployment: Deployment, newReplicaSet: ReplicaSet, pods: World['pods']): string | undefined {
  const condition = findCondition(deployment.status?.conditions ?? [], PROGRESSING);
  const timedOut = timedOutMessage(deployment, newReplicaSet);
  if (condition?.reason === TIMED_OUT && condition.message === timedOut) return timedOut;
  const unavailable = availableReplicas(newReplicaSet) < desiredReplicas(newReplicaSet);
  const own = pods.filter((pod) => controllerOf(pod)?.uid === newReplicaSet.metadata.uid);
  return unavailable ? permanentFailure(newReplicaSet, own) : undefined;
}

/** The old ReplicaSet of the highest revision among those that a rollout was once complete to. Pure. */
export function newestComplete({ oldReplicaSets }: Rollout): ReplicaSet | undefined {
  return oldReplicaSets
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(({ metadata }) => metadata.annotations?.[COMPLETED_REVISION] !== undefined)
    .toSorted(byRevision)
    .at(-1);
}

function rollBack(deployment: Deployment, failed: ReplicaSet, target: ReplicaSet, because: string): AutoRollback {
  const [from, to] = [failed, target].map(({ metadata }) => metadata.annotations?.[REVISION] ?? 'unknown');
  const back = rolledBackTo(deployment, target);
  const givenUp = {
    template: podTemplateHash(deployment.spec?.template ?? {}),
    instead: podTemplateHash(back.spec?.template ?? {}),
    message: `Rolled back from revision ${from} to revision ${to}: ${because}`,
  };
  const message = `Rolled back deployment ${goQuote(deployment.metadata.name)} from revision ${from} to revision ${to}: ${because}`;
  return {
    action: 'rollBack',
    deployment: withGivenUp(back, givenUp),
    event: { type: 'Warning', reason: 'DeploymentAutoRollback', message },
  };
}

/**
 * The rollout with the ReplicaSets marked to which a rollout is known to have been complete, so that it is known later. Automatic rollback may come to be asked
 * for together with a new template: then the Deployment's condition still tells which ReplicaSet the last complete rollout led to. Pure.
 */
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
