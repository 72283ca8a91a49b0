import type { Pod } from '../../../lambdas/objects/kinds.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import type { Plans } from './Plans.ts';
import { ENGINES, LENIENCY_MS, type PodHistory } from './PodHistory.ts';
import { isAvailable, podChangeOf, wasDeleted } from './podChanges.ts';
import type { Specs } from './Specs.ts';

/**
 * A ReplicaSet or ReplicationController never creates a pod above, and never deletes one below, the number of replicas that its sync had read; and it deletes no available
 * pod where one that is not available could go. Intents guarantee this, whatever dies or stalls.
 *
 * - A pod that is being deleted, or has ended, does not count: neither does it for the controller.
 * - A create may take effect after a later sync read a larger spec and took the name over: then the largest spec since counts.
 * - A pod that was adopted after the sync began does not count as one too many: nobody created it.
 * - A delete may take effect after a later sync read a larger spec, unless that sync has ended well: before it does, it finishes what was left unfinished. A sync of an owner that
 *   is being deleted finishes nothing.
 * - A pod that somebody else took away since the sync began counts as if it were there: the sync could not know.
 */
export class ReplicaBounds implements Check {
  readonly #world: World;
  readonly #pods: PodHistory;
  readonly #specs: Specs;
  readonly #plans: Plans;
  /** The last sync of each owner that ended well, by UID. */
  readonly #ended = new Map<string, SyncTrail>();

  constructor(world: World, pods: PodHistory, specs: Specs, plans: Plans) {
    this.#world = world;
    this.#pods = pods;
    this.#specs = specs;
    this.#plans = plans;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const pod = podChangeOf(change);
    if (!pod || !trail || !ENGINES.has(writer)) return undefined;
    if (!pod.before && pod.after) return this.#judgeCreation(pod.after, pod.is, trail);
    if (!pod.before || pod.was === undefined || !isPodActive(pod.before) || !wasDeleted(pod)) return undefined;
    const { before, was } = pod;
    const violations = this.#plans
      .behind(before.metadata.uid, trail)
      .map((plan) => this.#judgeDeletion(before, was, plan, nowMs));
    return violations.every((violation) => violation !== undefined) ? violations[0] : undefined;
  }

  /** A sync of the owner has ended well, and cleared its intent. If the owner is being deleted, it has not carried the intent out before. */
  onSyncEnd(trail: SyncTrail): void {
    const { uid, deletionTimestamp } = trail.subject?.metadata ?? {};
    if (uid !== undefined && deletionTimestamp === undefined) this.#ended.set(uid, trail);
  }

  #judgeCreation(created: Pod, ownerUid: string | undefined, { subject, beganMs }: SyncTrail): string | undefined {
    if (!subject || ownerUid !== subject.metadata.uid) return undefined;
    const most = Math.max(...this.#specs.from(subject).map(({ replicas }) => replicas));
    const counted = this.#world
      .activePodsOf(ownerUid)
      .filter(({ metadata }) => !this.#pods.wasAdoptedSince(metadata.uid, ownerUid, beganMs));
    if (counted.length <= most) return undefined;
    return `${nameOf(created)} is one too many: ${counted.length} pods of ${nameOf(subject)}, which was to have at most ${most}`;
  }

  #judgeDeletion(deleted: Pod, ownerUid: string, plan: SyncTrail, nowMs: number): string | undefined {
    const ended = this.#ended.get(ownerUid);
    const { subject, beganMs } = ended && ended.beganMs > plan.beganMs ? ended : plan;
    const spec = subject?.metadata.uid === ownerUid ? this.#specs.at(subject) : undefined;
    if (!subject || !spec) return undefined;
    const left = this.#pods.activeOrLostSince(ownerUid, beganMs);
    if (left < spec.replicas)
      return `${nameOf(deleted)} should have stayed: ${left} pods are left of ${nameOf(subject)}, which was to have ${spec.replicas}`;
    return this.#judgeChoice(deleted, subject, spec.replicas, spec.minReadySeconds, beganMs, nowMs);
  }

  /** Of the pods that were available when the sync looked, as many stay as the owner is to have. */
  #judgeChoice(
    deleted: Pod,
    owner: KubernetesObject,
    replicas: number,
    minReadySeconds: number,
    sinceMs: number,
    nowMs: number,
  ): string | undefined {
    if (!isAvailable(deleted, minReadySeconds, nowMs, -LENIENCY_MS)) return undefined;
    const { uid } = owner.metadata;
    const due = Math.min(replicas, this.#pods.availableAt(uid, sinceMs, minReadySeconds));
    const left = this.#pods.availableOrLostSince(uid, sinceMs, minReadySeconds, nowMs);
    if (left >= due) return undefined;
    return `${nameOf(deleted)} was available and is deleted though others of ${nameOf(owner)} are not: ${left} available ones are left where ${due} could be`;
  }
}
