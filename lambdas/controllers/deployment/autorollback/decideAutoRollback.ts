import { COMPLETED_REVISION, GIVEN_UP, REVISION } from '../../../objects/deployments/deploymentAnnotations.ts';
import { findCondition } from '../../../objects/deployments/deploymentConditions.ts';
import { goQuote } from '../../../objects/go/goQuote.ts';
import { controllerOf } from '../../../objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../../objects/kinds.ts';
import { podTemplateHash, templatesEqual } from '../../../objects/pods/podTemplateHash.ts';
import type { EventText, Outcome, RolloutOutcome } from '../Plan.ts';
import { calculateStatus, deploymentComplete } from '../calculateStatus.ts';
import { byRevision } from '../replicaSetAnnotations.ts';
import { availableReplicas, bySizeOlder, desiredReplicas, isActive } from '../replicaSets.ts';
import { type Rollout, rolloutTo, type World } from '../Rollout.ts';
import { rollbackToTemplate } from '../rollback.ts';
import { deploymentProgressing, PROGRESSING, TIMED_OUT, timedOutMessage } from '../syncRolloutStatus.ts';
import { permanentFailure } from './permanentFailure.ts';
import { givenUpOf, isAutoRollbackOn, withGivenUp } from './rollbackMemory.ts';

/** The user asks again for a template that was given up on. `rollout` is the rollout to what the Deployment went back to. */
export interface HeldRollout {
  readonly action: 'hold';
  readonly rollout: Rollout;
  readonly message: string;
}

export type AutoRollback =
  /** Nothing to do in this sync. */
  | { readonly action: 'none' }
  /** The user has changed the template since it was given up on, so it may be tried again later. */
  | { readonly action: 'forget'; readonly deployment: Deployment }
  | { readonly action: 'rollBack'; readonly deployment: Deployment; readonly event: EventText }
  /** The Deployment went back, and rolls (or has rolled) to what it went back to. */
  | { readonly action: 'wentBack'; readonly message: string }
  | HeldRollout
  /** The rollout has failed, but no other revision was ever complete. */
  | { readonly action: 'stay'; readonly message: string };

/** Step: gives up on a rollout that has failed, and writes the template of the newest complete revision; or forgets an earlier failure. */
export function autoRollback(world: World, rollout: Rollout): Outcome | undefined {
  const decision = decideAutoRollback(rollout, world);
  switch (decision.action) {
    case 'forget':
      return {
        write: 'deployment',
        to: decision.deployment,
        events: [],
        why: [{ reason: 'templateChangedSinceGivenUp' }],
      };
    case 'rollBack': {
      const { deployment: to, event } = decision;
      return { write: 'deployment', to, events: [event], why: [{ reason: 'rollback', message: event.message }] };
    }
    case 'none':
    case 'wentBack':
    case 'hold':
    case 'stay':
      return undefined;
  }
}

/** The rollout to take instead of the one that the user asks for; `undefined` if the Deployment's template may be rolled out. Pure. */
export function findHeldRollout(world: World, rollout: Rollout): HeldRollout | undefined {
  const decision = decideAutoRollback(rollout, world);
  return decision.action === 'hold' ? decision : undefined;
}

/**
 * The outcome of a step for a held rollout. The user's template stays in the spec, but what the Deployment went back to keeps running and is rolled to and scaled as if it were the new
 * one. The status is about the user's template, and its Progressing condition makes `kubectl rollout status` end at once. No history is cleaned up.
 */
export function heldOutcome(held: HeldRollout, outcome: RolloutOutcome): RolloutOutcome {
  return {
    ...outcome,
    remove: [],
    status: { from: 'held', held },
    why: [{ reason: 'templateGivenUp' }, ...outcome.why],
    waitsFor: [...outcome.waitsFor, { wait: 'otherTemplate' }],
  };
}

/**
 * Automatic rollback, which Kubernetes' controller has as a TODO. A rollout that exceeds its progress deadline, or that can never end, goes back to the newest revision that was
 * once complete, and the annotation remembers the template as given up on.
 *
 * It never works against the user. It goes back once: if the older revision fails as well, it stays there. If a tool keeps applying the same manifest, the given-up template stays
 * in the spec and is not rolled out until it changes. Any change is a new try, also that of `kubectl rollout restart`, and so is turning automatic rollback off. Pure.
 */
export function decideAutoRollback(rollout: Rollout, world: World): AutoRollback {
  const { deployment, newReplicaSet } = rollout;
  const { replicaSets } = world;
  const givenUp = givenUpOf(deployment);
  if (!isAutoRollbackOn(deployment)) return forgetIfAny(deployment);
  if (givenUp) {
    const hash = podTemplateHash(deployment.spec?.template ?? {});
    if (hash === givenUp.wentBackTo) return { action: 'wentBack', message: givenUp.message };
    const running = replicaSets.find(({ spec }) => podTemplateHash(spec?.template ?? {}) === givenUp.wentBackTo);
    if (hash !== givenUp.template || !running) return forgetIfAny(deployment);
    return { action: 'hold', rollout: rolloutTo(deployment, replicaSets, running), message: givenUp.message };
  }
  const because = newReplicaSet && whyGiveUp(rollout, newReplicaSet, world);
  if (!newReplicaSet || because === undefined) return forgetIfAny(deployment);
  const target = newestComplete(rollout);
  if (!target) return { action: 'stay', message: `No other revision was ever complete: ${because}` };
  return rollBack(deployment, newReplicaSet, target, because);
}

function forgetIfAny(deployment: Deployment): AutoRollback {
  if (deployment.metadata.annotations?.[GIVEN_UP] === undefined) return { action: 'none' };
  return { action: 'forget', deployment: withGivenUp(deployment, undefined) };
}

/**
 * Why the rollout has failed; `undefined` if it has not. A stored timeout is older than what this sync sees: a rollout that has become complete or has progressed since then has not failed. And
 * the timeout must be this ReplicaSet's: right after the user went back by hand, the condition is still about the one before.
 */
function whyGiveUp(rollout: Rollout, newReplicaSet: ReplicaSet, { pods, nowMs }: World): string | undefined {
  const { deployment } = rollout;
  const { conditions = [], ...counts } = deployment.status ?? {};
  const status = calculateStatus(rollout, conditions, nowMs);
  if (deploymentComplete(deployment, status) || deploymentProgressing(counts, status)) return undefined;
  const condition = findCondition(conditions, PROGRESSING);
  const timedOut = timedOutMessage(deployment, newReplicaSet);
  if (condition?.reason === TIMED_OUT && condition.message === timedOut) return timedOut;
  const unavailable = availableReplicas(newReplicaSet) < desiredReplicas(newReplicaSet);
  const own = pods.filter((pod) => controllerOf(pod)?.uid === newReplicaSet.metadata.uid);
  return unavailable ? permanentFailure(newReplicaSet, own) : undefined;
}

/**
 * The old ReplicaSet with the highest revision among those of another template that were once complete: those marked so, and the largest one if all of its pods are available now, because it may have been complete before
 * automatic rollback was turned on. A smaller one may be what an abandoned rollout left, with few pods that happen to run. One of the same template, which an adopted ReplicaSet may have, is nothing to go back to. Pure.
 */
export function newestComplete({ deployment, oldReplicaSets }: Rollout): ReplicaSet | undefined {
  const candidates = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [largest] = candidates.filter(isActive).toSorted(bySizeOlder);
  return candidates
    .filter(({ spec }) => !templatesEqual(spec?.template, deployment.spec?.template))
    .filter((one) => isMarkedComplete(one) || (one === largest && availableReplicas(one) >= desiredReplicas(one)))
    .toSorted(byRevision)
    .at(-1);
}

function isMarkedComplete({ metadata }: ReplicaSet): boolean {
  return metadata.annotations?.[COMPLETED_REVISION] !== undefined;
}

function rollBack(deployment: Deployment, failed: ReplicaSet, target: ReplicaSet, because: string): AutoRollback {
  const [from, to] = [failed, target].map(({ metadata }) => metadata.annotations?.[REVISION] ?? 'unknown');
  const back = rollbackToTemplate(deployment, target);
  const givenUp = {
    template: podTemplateHash(deployment.spec?.template ?? {}),
    wentBackTo: podTemplateHash(back.spec?.template ?? {}),
    message: `Rolled back from revision ${from} to revision ${to}: ${because}`,
  };
  const message = `Rolled back deployment ${goQuote(deployment.metadata.name)} from revision ${from} to revision ${to}: ${because}`;
  return {
    action: 'rollBack',
    deployment: withGivenUp(back, givenUp),
    event: { type: 'Warning', reason: 'DeploymentAutoRollback', message },
  };
}
