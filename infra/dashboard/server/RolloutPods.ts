import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive, isPodAvailable } from '../../../lambdas/objects/pods/podState.ts';
import type { PodView } from '../views/PageViews.ts';
import { viewPod } from '../views/viewPod.ts';

interface Known {
  readonly view: PodView;
  readonly isActive: boolean;
  readonly isAvailable: boolean;
}

/** The pods of one rollout as a page has seen them. Counts are kept and not found anew, because each of thousands of pods changes several times in a rollout. */
export class RolloutPods {
  readonly #known = new Map<string, Known>();
  /** The UIDs of those that only time makes available. */
  readonly #waitingForTime = new Set<string>();
  active = 0;
  available = 0;

  /** Returns true if it has not been seen, or if time alone may have changed it since. */
  isDue(uid: string): boolean {
    return !this.#known.has(uid) || this.#waitingForTime.has(uid);
  }

  /** Takes a pod as it is now. Returns how it looks; `undefined`: as before. */
  put(pod: Pod, minReadySeconds: number, nowMs: number): PodView | undefined {
    const { uid } = pod.metadata;
    const before = this.#known.get(uid);
    const view = viewPod(pod, minReadySeconds, nowMs);
    this.drop(uid);
    const isActive = isPodActive(pod);
    const isAvailable = isActive && isPodAvailable(pod, minReadySeconds, nowMs);
    this.#known.set(uid, { view, isActive, isAvailable });
    if (view.state === 'ready') this.#waitingForTime.add(uid);
    this.active += Number(isActive);
    this.available += Number(isAvailable);
    return before && isSameView(before.view, view) ? undefined : view;
  }

  /** Returns true if it was known. */
  drop(uid: string): boolean {
    const known = this.#known.get(uid);
    if (!known) return false;
    this.#known.delete(uid);
    this.#waitingForTime.delete(uid);
    this.active -= Number(known.isActive);
    this.available -= Number(known.isAvailable);
    return true;
  }

  clear(): void {
    this.#known.clear();
    this.#waitingForTime.clear();
    this.active = 0;
    this.available = 0;
  }
}

function isSameView(a: PodView, b: PodView): boolean {
  return a.state === b.state && a.reason === b.reason && a.node === b.node && a.owner === b.owner;
}
