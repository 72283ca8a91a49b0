import type { Intent } from '../../../lambdas/ports/KeyLocks.ts';
import type { SyncTrail } from '../SyncTrail.ts';

/** Which syncs planned to delete a pod. A later sync of the same key finishes the deletes that an earlier one recorded, and is judged as that one. */
export class Plans {
  readonly #planned = new Map<string, SyncTrail[]>();

  onIntent(trail: SyncTrail | undefined, { deletes }: Intent): void {
    if (!trail) return;
    for (const { uid } of deletes) {
      trail.plannedDeletes.add(uid);
      this.#planned.set(uid, [...(this.#planned.get(uid) ?? []), trail]);
    }
  }

  /** True if a sync has planned to delete this pod. */
  isPlanned(podUid: string): boolean {
    return this.#planned.has(podUid);
  }

  /** The syncs whose decision a delete of this pod may be: the one that sends it, if it planned it itself. */
  behind(podUid: string, sender: SyncTrail): readonly SyncTrail[] {
    const planned = this.#planned.get(podUid) ?? [];
    return sender.plannedDeletes.has(podUid) || planned.length === 0 ? [sender] : planned;
  }
}
