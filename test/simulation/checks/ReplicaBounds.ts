import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { ReplicaSet, ReplicationController } from '../../../lambdas/objects/kinds.ts';
import { subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf, type World } from '../World.ts';
import type { Check } from './Check.ts';
import { leftOwner, type PodChange, podChangeOf, wasDeleted } from './podChanges.ts';

type Owner = ReplicaSet | ReplicationController;

interface Ledger {
  /** Over all specs that landed since it was last as it should be. */
  most: number;
  fewest: number;
  /** Pods that it lost, since then, by somebody else's doing. */
  readonly lost: Set<string>;
  /** Pods that it adopted since then. */
  readonly adopted: Set<string>;
}

const ENGINES = new Set(['replicaset', 'replicationcontroller']);

/**
 * A ReplicaSet or ReplicationController never makes one pod more than the largest, and never deletes one below the smallest number that anybody asked for since it
 * last was as it should be. This is what intents promise, whatever dies or stalls.
 *
 * Exceptions:
 * - A pod that is being deleted, or has ended, does not count: neither does it for the controller.
 * - An adopted pod does not count as one too many: it was not created, and the owner was complete before it came. It counts as one that is there.
 * - A pod that somebody else took away (a user's or the collector's delete, a failure, a release after a user changed its labels) lowers the floor by one: a
 *   deletion that was decided before may land after it, and nobody could have known.
 */
export class ReplicaBounds implements Check {
  readonly #world: World;
  readonly #ledgers = new Map<string, Ledger>();

  constructor(world: World) {
    this.#world = world;
  }

  onWrite({ writer, change }: AuditedWrite): string | undefined {
    const subject = subjectOf(change);
    if (isOwner(subject)) this.#widen(subject);
    const pod = podChangeOf(change);
    const violation = pod && this.#judge(writer, pod);
    const uids = isOwner(subject) ? [subject.metadata.uid] : [pod?.was, pod?.is];
    for (const uid of uids) if (uid !== undefined) this.#settle(uid);
    return violation;
  }

  #judge(writer: string, pod: PodChange): string | undefined {
    if (!pod.before) return this.#judgeCreation(writer, pod);
    if (pod.is !== undefined && pod.was !== pod.is) this.#ledgers.get(pod.is)?.adopted.add(pod.before.metadata.uid);
    return leftOwner(pod) ? this.#judgeLeaving(writer, pod) : undefined;
  }

  #judgeCreation(writer: string, { after, is }: PodChange): string | undefined {
    const ledger = this.#ledgers.get(is ?? '');
    if (!ledger || !after || is === undefined || !ENGINES.has(writer)) return undefined;
    const active = this.#world.activePodsOf(is).filter(({ metadata }) => !ledger.adopted.has(metadata.uid));
    if (active.length <= ledger.most) return undefined;
    return `${nameOf(after)} is one too many: ${active.length} pods of an owner that was to have at most ${ledger.most}`;
  }

  #judgeLeaving(writer: string, pod: PodChange): string | undefined {
    const ledger = this.#ledgers.get(pod.was ?? '');
    if (!ledger || !pod.before || pod.was === undefined) return undefined;
    if (!ENGINES.has(writer) || !wasDeleted(pod)) {
      ledger.lost.add(pod.before.metadata.uid);
      return undefined;
    }
    const active = this.#world.activePodsOf(pod.was).length;
    if (active >= ledger.fewest - ledger.lost.size) return undefined;
    return `${nameOf(pod.before)} should have stayed: ${active} pods are left of an owner that was to have at least ${ledger.fewest} (${ledger.lost.size} lost)`;
  }

  #widen(owner: Owner): void {
    const { uid, deletionTimestamp } = owner.metadata;
    const replicas = owner.spec?.replicas ?? 1;
    const ledger = this.#ledgers.get(uid) ?? { most: replicas, fewest: replicas, lost: new Set(), adopted: new Set() };
    ledger.most = Math.max(ledger.most, replicas);
    ledger.fewest = Math.min(ledger.fewest, deletionTimestamp === undefined ? replicas : 0);
    this.#ledgers.set(uid, ledger);
  }

  /** Once it is as its spec says and knows it, what was asked for before is over. */
  #settle(uid: string): void {
    const owner = this.#world.byUid(uid);
    if (!owner || !isOwner(owner)) return;
    const replicas = owner.spec?.replicas ?? 1;
    const { observedGeneration, replicas: seen = 0 } = owner.status ?? {};
    const isSettled = observedGeneration === owner.metadata.generation && seen === replicas;
    if (!isSettled || this.#world.activePodsOf(uid).length !== replicas) return;
    this.#ledgers.set(uid, { most: replicas, fewest: replicas, lost: new Set(), adopted: new Set() });
  }
}

function isOwner(object: KubernetesObject): object is Owner & KubernetesObject {
  return object.kind === 'ReplicaSet' || object.kind === 'ReplicationController';
}
