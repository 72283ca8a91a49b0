import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import type { SyncTrail } from '../SyncTrail.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';
import { ENGINES, type PodHistory } from './PodHistory.ts';

/**
 * A status counts no pod as available that the sync, or one before it, has recorded to delete. If the delete was not answered, the next sync carries it out, even if the owner has got a larger size since. A Deployment that
 * counted on the pod would delete another one, and fewer than the floor would be available.
 *
 * A recorded delete that names a version is not carried out if the pod has changed since, so it does not count. Nor do the deletes of an owner that is being deleted itself.
 */
export class LeavingPods implements Check {
  readonly #pods: PodHistory;
  readonly #recorded = new WeakMap<SyncTrail, Intent>();

  constructor(pods: PodHistory) {
    this.#pods = pods;
  }

  onIntent(trail: SyncTrail | undefined, intent: Intent): void {
    if (trail) this.#recorded.set(trail, intent);
  }

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    if (!ENGINES.has(writer) || !trail || change.resource === 'pods' || change.type !== 'MODIFIED') return undefined;
    const owner = change.after as unknown as ReplicaSet;
    const leaving = this.#leaving(owner, trail);
    if (leaving.size === 0) return undefined;
    const { availableReplicas: counted = 0 } = owner.status ?? {};
    const { minReadySeconds = 0 } = owner.spec ?? {};
    const staying = this.#pods.availableSince(owner.metadata.uid, trail.beganMs, minReadySeconds, nowMs, leaving);
    if (counted <= staying) return undefined;
    return `the status of ${nameOf(owner)} counts ${counted} available pods, but without those that are to be deleted there are ${staying}`;
  }

  #leaving({ metadata }: ReplicaSet, trail: SyncTrail): ReadonlySet<string> {
    if (metadata.deletionTimestamp !== undefined) return new Set();
    const deletes = [trail.inherited, this.#recorded.get(trail)]
      .filter((intent) => intent?.ownerUid === metadata.uid)
      .flatMap((intent) => intent?.deletes ?? []);
    return new Set(deletes.filter(({ resourceVersion }) => resourceVersion === undefined).map(({ uid }) => uid));
  }
}
