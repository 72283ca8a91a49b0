import { COMPLETED_REVISION, GIVEN_UP } from '../../../objects/deployments/deploymentAnnotations.ts';
import { controllerOf } from '../../../objects/KubernetesObject.ts';
import type { Deployment, Pod } from '../../../objects/kinds.ts';
import { podTemplateHash } from '../../../objects/pods/podTemplateHash.ts';
import { type Progress, TIMED_OUT, timedOutMessage } from '../assessProgress.ts';
import { byRevision, bySizeOlder, type SizedReplicaSet } from '../SizedReplicaSet.ts';
import type { Sizes } from '../Sizes.ts';
import { permanentFailure } from './permanentFailure.ts';
import { type GivenUp, givenUpOf, isAutoRollbackOn } from './rollbackMemory.ts';

/** What automatic rollback wants. */
export type AutoRollback =
  /** Nothing to do in this sync. */
  | { readonly action: 'none' }
  /** The user has changed the template since it was given up on, so it may be tried again later. */
  | { readonly action: 'forget' }
  | { readonly action: 'rollBack'; readonly target: SizedReplicaSet; readonly because: string }
  /** The Deployment went back, and rolls (or has rolled) to what it went back to. */
  | { readonly action: 'wentBack'; readonly message: string }
  /** The user asks again for the template that was given up on. What the Deployment went back to is rolled out in its place. */
  | { readonly action: 'hold'; readonly wentBackTo: SizedReplicaSet; readonly message: string }
  /** The rollout has failed, but no other revision was ever complete. */
  | { readonly action: 'stay'; readonly message: string };

/** What a rollout is judged by. */
export interface JudgedRollout extends Sizes {
  readonly deployment: Deployment;
  /** Some of its pods, see `observeDeployment`. */
  readonly pods: readonly Pod[];
  readonly progress: Progress;
}

/**
 * Automatic rollback, which Kubernetes' controller has as a TODO. A rollout that exceeds its progress deadline, or that can never end, goes back to the newest revision that was
 * once complete, and the annotation remembers the template as given up on.
 *
 * It never works against the user. It goes back once: if the older revision fails as well, it stays there. If a tool keeps applying the same manifest, the given-up template stays
 * in the spec and is not rolled out until it changes. Any change is a new try, also that of `kubectl rollout restart`, and so is turning automatic rollback off. Pure.
 */
export function decideAutoRollback(rollout: JudgedRollout): AutoRollback {
  const { deployment, progress } = rollout;
  if (!isAutoRollbackOn(deployment, progress.deadlineMs)) return forgetIfAny(deployment);
  const givenUp = givenUpOf(deployment);
  if (!givenUp) return judge(rollout);
  return recall(rollout, givenUp);
}

/** What follows from the memory of a template that was given up on. */
function recall({ deployment, all }: JudgedRollout, { template, wentBackTo, message }: GivenUp): AutoRollback {
  const asked = podTemplateHash(deployment.spec?.template ?? {});
  if (asked === wentBackTo) return { action: 'wentBack', message };
  const running = all.find(({ stored }) => podTemplateHash(stored.spec?.template ?? {}) === wentBackTo);
  if (asked !== template || !running) return forgetIfAny(deployment);
  return { action: 'hold', wentBackTo: running, message };
}

function judge(rollout: JudgedRollout): AutoRollback {
  const because = whyGiveUp(rollout);
  if (because === undefined) return forgetIfAny(rollout.deployment);
  const target = newestComplete(rollout.oldReplicaSets);
  if (!target) return { action: 'stay', message: `No other revision was ever complete: ${because}` };
  return { action: 'rollBack', target, because };
}

function forgetIfAny({ metadata }: Deployment): AutoRollback {
  return { action: metadata.annotations?.[GIVEN_UP] === undefined ? 'none' : 'forget' };
}

/**
 * Why the rollout has failed; `undefined` if it has not, or has not begun. A stored timeout is older than what this sync sees: a rollout that has become complete or has progressed since then has not failed. And
 * the timeout must be this ReplicaSet's: right after the user went back by hand, the condition is still about the one before.
 */
function whyGiveUp({ newReplicaSet, progress, pods }: JudgedRollout): string | undefined {
  if (!newReplicaSet || progress.isComplete || progress.hasProgressed) return undefined;
  const { condition } = progress;
  const timedOut = timedOutMessage(progress.subject);
  if (condition?.reason === TIMED_OUT && condition.message === timedOut) return timedOut;
  const own = pods.filter((pod) => controllerOf(pod)?.uid === newReplicaSet.uid);
  return newReplicaSet.available < newReplicaSet.desired ? permanentFailure(newReplicaSet.stored, own) : undefined;
}

/**
 * The old ReplicaSet with the highest revision among those of another template that were once complete: those marked so, and the largest one if all of its pods are available now, because it may have been complete before
 * automatic rollback was turned on. A smaller one may be what an abandoned rollout left, with few pods that happen to run. One of the same template, which an adopted ReplicaSet may have, is nothing to go back to. Pure.
 */
export function newestComplete(oldReplicaSets: readonly SizedReplicaSet[]): SizedReplicaSet | undefined {
  const candidates = oldReplicaSets.filter(({ stored }) => stored.metadata.deletionTimestamp === undefined);
  const [largest] = candidates.filter(({ isActive }) => isActive).toSorted(bySizeOlder);
  return candidates
    .filter(({ hasTemplate }) => !hasTemplate)
    .filter((one) => isMarkedComplete(one) || (one === largest && one.available >= one.desired))
    .toSorted(byRevision)
    .at(-1);
}

function isMarkedComplete({ stored }: SizedReplicaSet): boolean {
  return stored.metadata.annotations?.[COMPLETED_REVISION] !== undefined;
}
