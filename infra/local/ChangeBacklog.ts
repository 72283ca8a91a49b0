import { type Change, subjectOf } from '../../lambdas/ports/ChangeLog.ts';

/** The delay after an object's first failure; each further failure doubles it. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 60_000;

/** The changes of one object in order, beginning with the first that could not be handled. */
interface Held {
  readonly changes: Change[];
  readonly failures: number;
  readonly dueAtMs: number;
}

/**
 * Holds the changes that could not be handled until they are retried. A later change of the same object is held behind the failed one, so that their order is kept.
 * Changes of other objects are not delayed, and no change is ever dropped.
 */
export class ChangeBacklog {
  readonly #held = new Map<string, Held>();

  /** When the next retry is due; infinity if nothing is held. */
  get dueAtMs(): number {
    return Math.min(...[...this.#held.values()].map(({ dueAtMs }) => dueAtMs), Number.POSITIVE_INFINITY);
  }

  /** Returns the changes to handle now, those that are due first; their outcome must be given to `settle`. Fresh changes of an object with held changes are held too. */
  admit(fresh: readonly Change[], nowMs: number): readonly Change[] {
    const free: Change[] = [];
    for (const change of fresh) {
      const held = this.#held.get(placeOf(change));
      if (held === undefined) free.push(change);
      else held.changes.push(change);
    }
    const due = [...this.#held.values()].filter(({ dueAtMs }) => dueAtMs <= nowMs);
    return [...due.flatMap(({ changes }) => changes), ...free];
  }

  /** Records the outcome of `handled`: an object's changes are held from the first one that failed on, also those behind it that succeeded. */
  settle(handled: readonly Change[], failed: readonly Change[], nowMs: number): void {
    if (failed.length === 0 && this.#held.size === 0) return;
    const failures = new Set(failed);
    for (const [place, changes] of byPlace(handled)) {
      const first = changes.findIndex((change) => failures.has(change));
      if (first < 0) this.#held.delete(place);
      else this.#hold(place, changes.slice(first), nowMs);
    }
  }

  #hold(place: string, changes: Change[], nowMs: number): void {
    const failures = this.#held.get(place)?.failures ?? 0;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
    this.#held.set(place, { changes, failures: failures + 1, dueAtMs: nowMs + delayMs });
  }
}

function byPlace(changes: readonly Change[]): ReadonlyMap<string, Change[]> {
  const places = new Map<string, Change[]>();
  for (const change of changes) {
    const place = placeOf(change);
    const known = places.get(place);
    if (known === undefined) places.set(place, [change]);
    else known.push(change);
  }
  return places;
}

function placeOf(change: Change): string {
  const { namespace = '', name } = subjectOf(change).metadata;
  return `${change.resource}/${namespace}/${name}`;
}
