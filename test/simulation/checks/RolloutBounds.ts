import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { isPodActive, isPodTerminal } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import type { Decision, Decisions } from './Decisions.ts';
import type { Plans } from './Plans.ts';
import { LENIENCY_MS, type PodHistory } from './PodHistory.ts';
import { isAvailable, podChangeOf, wasDeleted } from './podChanges.ts';

/**
 * A rolling update never creates a pod above the ceiling (replicas and surge), and never deletes an available one below the floor, of the spec that the Deployment had read
 * when it decided the size behind that create or delete. Recreate never creates a pod while one of an older ReplicaSet still runs.
 *
 * What a Deployment could not know at its decision is not held against it:
 * - Pods that were available when the ReplicaSets' statuses were last written, and were lost since by nobody's decision, count for the floor, also those of a ReplicaSet that a user took
 *   away meanwhile. If fewer than the floor were available then, that many must stay: taking pods that are not available takes nobody's availability.
 * - A smaller size of any ReplicaSet that was decided later, by a spec with a lower floor, may have been carried out sooner: then the lower floor counts. When a user scales to 0, one ReplicaSet
 *   may have deleted its last pods before another gets to those that it was to delete before.
 * - What a status calls available goes by the minReadySeconds that the ReplicaSet had then. A Deployment that rolls back to it may have changed them since.
 * - Pods and ReplicaSets that were adopted since do not count for the ceiling. A ReplicaSet that was adopted goes on towards the size that it had, until a later decision makes it larger: one that makes it smaller
 *   adds no pod. As in Kubernetes, a Deployment that adopts 6 replicas beside its own 6 takes away only what the floor can spare, and both ReplicaSets go on to create what they lack. ReplicaBounds
 *   judges them by their own sizes.
 * - A larger size that was decided later, of another ReplicaSet, may raise the ceiling meanwhile. And where a user has lowered the ceiling, the earlier one holds until every
 *   ReplicaSet has deleted what it has too many, those among them that were not told yet because the write of their new size failed.
 * - Where a user has lowered maxSurge in the middle of a rollout, the earlier ceiling also holds for pods that a ReplicaSet creates again after it was made smaller. As in Kubernetes, old replicas go
 *   only as far as the floor can be kept without the new ones that are not available yet, so all sizes together may stay above the new ceiling until those are available.
 *
 * Once a ReplicaSet has as many pods as decided, what it deletes is a surplus (an adopted pod), which is ReplicaBounds' business.
 */
export class RolloutBounds implements Check {
  readonly #world: World;
  readonly #pods: PodHistory;
  readonly #decisions: Decisions;
  readonly #plans: Plans;

  constructor(world: World, pods: PodHistory, decisions: Decisions, plans: Plans) {
    this.#world = world;
    this.#pods = pods;
    this.#decisions = decisions;
    this.#plans = plans;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const pod = podChangeOf(change);
    if (!pod || !trail || writer !== 'replicaset') return undefined;
    if (!pod.before && pod.after) return this.#judgeCreation(pod.after, trail);
    if (!pod.before || !wasDeleted(pod)) return undefined;
    const { before } = pod;
    const violations = this.#plans
      .behind(before.metadata.uid, trail)
      .map((plan) => this.#judgeDeletion(before, plan, nowMs));
    return violations.every((violation) => violation !== undefined) ? violations[0] : undefined;
  }

  #judgeCreation(created: Pod, trail: SyncTrail): string | undefined {
    const decision = this.#decisions.behind(trail);
    const deployment = decision && this.#deployment(decision);
    if (!decision || !deployment) return undefined;
    const { strategy } = decision.spec;
    if (strategy === 'Recreate') return this.#judgeRecreate(created, deployment, decision, trail);
    if (this.#decisions.isAdoptedSurplus(decision)) return undefined;
    const later = this.#decisions.since(decision).filter(({ before, after }) => after > before);
    const pending = this.#decisions.pendingAt(decision, trail.beganMs);
    const standing = this.#decisions.standingBeside(decision);
    const others = [...later, ...pending, ...standing, ...this.#decisions.shrunkFrom(decision)];
    if (strategy !== 'RollingUpdate' || others.some(({ spec }) => spec.strategy !== 'RollingUpdate')) return undefined;
    const ceiling = Math.max(decision.spec.ceiling, ...others.map(({ spec }) => spec.ceiling));
    const active = this.#countedPods(deployment, decision).filter(isPodActive).length;
    if (active <= ceiling) return undefined;
    return `${nameOf(created)} is above the ceiling of ${nameOf(deployment)}: ${active} pods, at most ${ceiling}`;
  }

  /**
   * Only a rollout waits for old pods to be gone; scaling one that has pods already does not. A paused Deployment is scaled and not rolled out. As in Kubernetes, if it is paused when all its ReplicaSets have size 0, the
   * new one gets all replicas at once, while old pods are still being deleted.
   */
  #judgeRecreate(created: Pod, deployment: Deployment, decision: Decision, trail: SyncTrail): string | undefined {
    if (decision.spec.isPaused || decision.before > 0 || isExecuted(decision, trail)) return undefined;
    const own = controllerOf(created)?.uid;
    const isOlder = (uid: string | undefined) => uid !== own && decision.told.has(uid ?? '');
    const other = this.#countedPods(deployment, decision).find(
      (pod) => isOlder(controllerOf(pod)?.uid) && !isPodTerminal(pod),
    );
    return (
      other && `${nameOf(created)} is created by Recreate while ${nameOf(other)} of another replica set still runs`
    );
  }

  /** Without the pods that were adopted, alone or with their ReplicaSet, after the decision. */
  #countedPods(deployment: Deployment, { told, atMs }: Decision): Pod[] {
    return this.#world.podsOfDeployment(deployment).filter((pod) => {
      const owner = controllerOf(pod)?.uid ?? '';
      const isOfLaterDecision = this.#decisions
        .ofReplicaSet(owner)
        .some((later) => later.atMs >= atMs && later.after > later.before);
      if (!told.has(owner) && !isOfLaterDecision) return false;
      return !this.#pods.wasAdoptedSince(pod.metadata.uid, owner, told.get(owner)?.knownMs ?? atMs);
    });
  }

  #judgeDeletion(deleted: Pod, plan: SyncTrail, nowMs: number): string | undefined {
    const decision = this.#decisions.behind(plan);
    const deployment = decision && this.#deployment(decision);
    if (!decision || !deployment || isExecuted(decision, plan)) return undefined;
    if (decision.after >= decision.before) return undefined;
    const { spec, told } = decision;
    const shrinks = this.#decisions.since(decision).filter(({ before, after }) => after < before);
    if ([decision, ...shrinks].some((shrink) => shrink.spec.strategy !== 'RollingUpdate')) return undefined;
    const seconds = this.#minReadySeconds(controllerOf(deleted)?.uid ?? '', spec.minReadySeconds);
    if (!isAvailable(deleted, seconds, nowMs, -LENIENCY_MS)) return undefined;
    const wasAvailable = sum([...told], ([uid, { knownMs, atMs, minReadySeconds }]) =>
      this.#pods.availableAt(uid, knownMs, minReadySeconds, atMs),
    );
    const current = this.#world.replicaSetsOf(deployment).map(({ metadata }) => metadata.uid);
    const uids = new Set([...told.keys(), ...current]);
    const left = sum([...uids], (uid) => {
      const { knownMs, minReadySeconds } = told.get(uid) ?? {
        knownMs: nowMs,
        minReadySeconds: Number.POSITIVE_INFINITY,
      };
      const seconds = Math.min(minReadySeconds, this.#minReadySeconds(uid, spec.minReadySeconds));
      return this.#pods.availableOrLostSince(uid, knownMs, seconds, nowMs);
    });
    const floor = Math.min(spec.floor, ...shrinks.map((shrink) => shrink.spec.floor));
    const due = Math.min(floor, wasAvailable);
    if (left >= due) return undefined;
    return `${nameOf(deleted)} was needed: ${left} available pods of ${nameOf(deployment)} are left, at least ${due} of ${wasAvailable} must stay (floor ${floor})`;
  }

  /** Availability is what a ReplicaSet's status says, by its own minReadySeconds: as in Kubernetes, one that was adopted as an old ReplicaSet keeps those of the Deployment that left it. */
  #minReadySeconds(uid: string, otherwise: number): number {
    const replicaSet: ReplicaSet | undefined = this.#world.byUid(uid);
    return replicaSet ? (replicaSet.spec?.minReadySeconds ?? 0) : otherwise;
  }

  #deployment({ deploymentUid }: Decision): Deployment | undefined {
    return this.#world.byUid(deploymentUid);
  }
}

function isExecuted({ executedMs }: Decision, { beganMs }: SyncTrail): boolean {
  return executedMs !== undefined && executedMs <= beganMs;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
