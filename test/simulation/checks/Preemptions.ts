import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';
import { podChangeOf, wasDeleted } from './podChanges.ts';

/** A pod that waits for a node, or waited until that time; milliseconds. */
interface Waiting {
  readonly priority: number;
  readonly untilMs: number;
}

/** The scheduler deletes a pod only while a more important one waits that may take its place, and only pods that have a node. */
export class Preemptions implements Check {
  readonly #waiting = new Map<string, Waiting>();

  onWrite({ writer, trail, change }: AuditedWrite, nowMs: number): string | undefined {
    const podChange = podChangeOf(change);
    if (!podChange) return undefined;
    const { before, after } = podChange;
    this.#note(before, after, nowMs);
    if (writer !== 'scheduler' || !before || !wasDeleted(podChange)) return undefined;
    if (!before.spec?.nodeName) return `${writer} deletes ${nameOf(before)}, which has no node`;
    const priority = before.spec.priority ?? 0;
    const sinceMs = trail?.beganMs ?? nowMs;
    const isOutranked = [...this.#waiting.values()].some((one) => one.untilMs >= sinceMs && one.priority > priority);
    return isOutranked ? undefined : `${writer} deletes ${nameOf(before)}, and no pod waits that is more important`;
  }

  #note(before: Pod | undefined, after: Pod | undefined, nowMs: number): void {
    const { uid } = (after ?? before)?.metadata ?? { uid: '' };
    const priority = (after ?? before)?.spec?.priority ?? 0;
    if (after && waits(after)) this.#waiting.set(uid, { priority, untilMs: Number.POSITIVE_INFINITY });
    else if (before && waits(before)) this.#waiting.set(uid, { priority, untilMs: nowMs });
  }
}

function waits(pod: Pod): boolean {
  return !pod.spec?.nodeName && isPodActive(pod) && pod.spec?.preemptionPolicy !== 'Never';
}
