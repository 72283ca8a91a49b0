import { controllerOf } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import type { World } from '../World.ts';
import type { Spec, Specs } from './Specs.ts';

/** A Deployment's decision about the size of one of its ReplicaSets, with what the Deployment could know. */
export interface Decision {
  readonly atMs: number;
  readonly deploymentUid: string;
  /** The Deployment's spec as the sync read it. */
  readonly spec: Spec;
  /** By UID of each ReplicaSet that the Deployment had then, also of those that it lost before the size was written: what its status said. */
  readonly told: ReadonlyMap<string, Told>;
  readonly before: number;
  readonly after: number;
  /** The sum of the sizes of all ReplicaSets that the Deployment had just before this write. */
  readonly totalBefore: number;
  /** When the ReplicaSet was first seen to have as many pods as decided. */
  executedMs: number | undefined;
}

/** A look of a ReplicaSet's sync at its pods, of which the status tells. */
export interface Told {
  /** When the sync began: the status tells of the pods of this time, without those that the sync had deleted by `atMs`. */
  readonly knownMs: number;
  /** When the status was written, or the sync ended without having to. */
  readonly atMs: number;
  /** By which the sync counted what is available. */
  readonly minReadySeconds: number;
}

/** Of a ReplicaSet that has written no status yet. */
const UNSEEN: Told = { atMs: Number.NEGATIVE_INFINITY, knownMs: Number.NEGATIVE_INFINITY, minReadySeconds: 0 };

/** Remembers each decision by the generation that it gave the ReplicaSet, since that is what the ReplicaSet's syncs read. */
export class Decisions {
  readonly #world: World;
  readonly #specs: Specs;
  readonly #decisions = new Map<string, Map<number, Decision>>();
  readonly #observations = new Map<string, Told[]>();
  /** Those that a Deployment had and has no more: removed, or given up. */
  readonly #lost: { readonly uid: string; readonly deploymentUid: string; readonly atMs: number }[] = [];

  constructor(world: World, specs: Specs) {
    this.#world = world;
    this.#specs = specs;
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): void {
    const { before, after } = change as { before?: ReplicaSet; after?: ReplicaSet };
    if (change.resource === 'pods') this.#noteExecuted(nowMs);
    if (change.resource !== 'replicasets.apps') return;
    const owner = before && controllerOf(before)?.uid;
    const isNewOwner = before && (!after || controllerOf(after)?.uid !== owner);
    if (owner && isNewOwner) this.#lost.push({ uid: before.metadata.uid, deploymentUid: owner, atMs: nowMs });
    if (!after) return;
    // Its size was somebody else's decision.
    if (isNewOwner) this.#decisions.delete(after.metadata.uid);
    if (writer === 'replicaset' && trail) this.#observed(after.metadata.uid, trail, nowMs);
    const wasSized = before?.spec?.replicas !== after.spec?.replicas;
    if (writer === 'deployment' && trail && wasSized) this.#decide(before, after, trail, nowMs);
    this.#noteExecuted(nowMs);
  }

  /** A ReplicaSet's sync has ended well and left nothing unfinished: what its status says is what the sync saw. */
  onSyncEnd(trail: SyncTrail, nowMs: number): void {
    if (trail.key.controller === 'replicaset' && trail.subject)
      this.#observed(trail.subject.metadata.uid, trail, nowMs);
  }

  /** The decision that a sync of the ReplicaSet found, if its size was the Deployment's decision at all. */
  behind({ subject }: SyncTrail): Decision | undefined {
    if (!subject) return undefined;
    const decisions = [...(this.#decisions.get(subject.metadata.uid) ?? [])];
    return decisions.findLast(([generation]) => generation <= (subject.metadata.generation ?? 0))?.[1];
  }

  /** All decisions of that Deployment that were made later. */
  since({ deploymentUid, atMs }: Decision): readonly Decision[] {
    const all = [...this.#decisions.values()].flatMap((decisions) => [...decisions.values()]);
    return all.filter((decision) => decision.deploymentUid === deploymentUid && decision.atMs >= atMs);
  }

  /** The decisions that were replaced by smaller sizes which a ReplicaSet of that Deployment had not taken on yet at that time: their pods may still be there. */
  pendingAt({ deploymentUid }: Decision, atMs: number): readonly Decision[] {
    return [...this.#decisions.values()].flatMap((byGeneration) => {
      const [previous, last] = [...byGeneration.values()].slice(-2);
      if (!previous || last?.deploymentUid !== deploymentUid || last.after >= last.before) return [];
      return (last.executedMs ?? Number.POSITIVE_INFINITY) > atMs ? [previous] : [];
    });
  }

  /**
   * For a decision that makes its ReplicaSet smaller: those about the others that still stand although they were made before it. It was to make these smaller, too, but their writes failed or are still to
   * come, so their pods are still there.
   */
  standingBeside({ deploymentUid, atMs, before, after }: Decision): readonly Decision[] {
    if (after >= before) return [];
    const last = [...this.#decisions.values()].flatMap((byGeneration) => [...byGeneration.values()].slice(-1));
    return last.filter((other) => other.deploymentUid === deploymentUid && other.atMs < atMs);
  }

  /** The decisions about the same ReplicaSet that this one, and others before it, made smaller without a change of the Deployment's replicas. */
  shrunkFrom(decision: Decision): readonly Decision[] {
    const own = this.#ownOf(decision);
    const earlier = own.slice(0, own.indexOf(decision) + 1).toReversed();
    const grown = earlier.findIndex(
      ({ before, after, spec }) => after >= before || spec.replicas !== decision.spec.replicas,
    );
    return earlier.slice(1, grown + 1).filter(({ spec }) => spec.replicas === decision.spec.replicas);
  }

  /**
   * True if the size goes back to an adoption that left the Deployment with more replicas than its ceiling allows: since then it has only made this ReplicaSet smaller. (The first decision about a
   * ReplicaSet that it created itself makes it no smaller.)
   */
  isAdoptedSurplus(decision: Decision): boolean {
    const own = this.#ownOf(decision);
    const upToIt = own.slice(0, own.indexOf(decision) + 1);
    const [first = decision] = own;
    return first.totalBefore > first.spec.ceiling && upToIt.every(({ before, after }) => after < before);
  }

  ofReplicaSet(uid: string): readonly Decision[] {
    return [...(this.#decisions.get(uid)?.values() ?? [])];
  }

  /** All decisions about the same ReplicaSet, the oldest first. */
  #ownOf(decision: Decision): readonly Decision[] {
    const all = [...this.#decisions.values()].map((byGeneration) => [...byGeneration.values()]);
    return all.find((decisions) => decisions.includes(decision)) ?? [];
  }

  #observed(uid: string, { beganMs, subject }: SyncTrail, nowMs: number): void {
    const observations = this.#observations.get(uid) ?? [];
    this.#observations.set(uid, observations);
    const replicaSet: ReplicaSet | undefined = subject;
    const { minReadySeconds = 0 } = replicaSet?.spec ?? {};
    observations.push({ atMs: nowMs, knownMs: beganMs, minReadySeconds });
  }

  #decide(before: ReplicaSet | undefined, after: ReplicaSet, { subject, beganMs }: SyncTrail, nowMs: number): void {
    const spec = subject && this.#specs.at(subject);
    if (!subject || !spec) return;
    const replicaSets = this.#world.replicaSetsOf(subject);
    const others = replicaSets.filter(({ metadata }) => metadata.uid !== after.metadata.uid);
    const lost = this.#lost.filter(
      ({ deploymentUid, atMs }) => deploymentUid === subject.metadata.uid && atMs >= beganMs,
    );
    const uids = [...lost.map(({ uid }) => uid), ...replicaSets.map(({ metadata }) => metadata.uid)];
    const decision: Decision = {
      atMs: nowMs,
      deploymentUid: subject.metadata.uid,
      spec,
      told: new Map(uids.map((uid) => [uid, this.#toldAt(uid, beganMs)])),
      before: before?.spec?.replicas ?? 0,
      after: after.spec?.replicas ?? 1,
      totalBefore: others.reduce((total, { spec }) => total + (spec?.replicas ?? 1), before?.spec?.replicas ?? 0),
      executedMs: undefined,
    };
    const decisions = this.#decisions.get(after.metadata.uid) ?? new Map<number, Decision>();
    this.#decisions.set(after.metadata.uid, decisions.set(after.metadata.generation ?? 0, decision));
  }

  /** The newest look at the pods of which the ReplicaSet's status told when a sync began. */
  #toldAt(uid: string, beganMs: number): Told {
    const seen = this.#observations.get(uid)?.filter(({ atMs }) => atMs <= beganMs) ?? [];
    return seen.slice(-5).reduce((newest, one) => (one.knownMs >= newest.knownMs ? one : newest), UNSEEN);
  }

  #noteExecuted(nowMs: number): void {
    for (const [uid, decisions] of this.#decisions) {
      const last = [...decisions.values()].at(-1);
      if (!last || last.executedMs !== undefined) continue;
      const replicaSet: ReplicaSet | undefined = this.#world.byUid(uid);
      const isObserved = replicaSet?.status?.observedGeneration === replicaSet?.metadata.generation;
      if (!replicaSet || !isObserved || this.#world.activePodsOf(uid).length !== replicaSet.spec?.replicas) continue;
      last.executedMs = nowMs;
    }
  }
}
