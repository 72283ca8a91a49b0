import type { GroupResource } from '../../objects/ObjectKey.ts';
import { type Clock, type Moment, isRecent, momentOf } from '../../ports/Clock.ts';
import type { ListedObject } from '../../ports/ObjectStore.ts';

/** Clients ask for the next page as soon as they have one. */
const KEPT_MS = 60_000;
/** All lists together. What one object takes beside its body is counted too. */
const MOST_BYTES = 32 * 2 ** 20;
const BYTES_PER_OBJECT = 300;

/** The objects of a resource, in one namespace or in all, at a position of its log. */
export interface ListedState {
  readonly resource: GroupResource;
  readonly namespace: string | undefined;
  readonly position: number;
}

interface Kept {
  readonly items: readonly ListedObject[];
  /** The items follow this place. */
  readonly after: string;
  readonly bytes: number;
  readonly keptAt: Moment;
}

/**
 * The objects that first pages of lists have read for the sake of the later pages, at the lists' positions. With them the later pages need not be read again. Each process has its own, and only the
 * latest few: a later page that another process answers is read at its position.
 */
export class LaterPages {
  readonly #clock: Clock;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps the items after a place, in the order of lists, unless they are too large. `after`: as `placeKey` makes it. */
  keep(state: ListedState, after: string, items: readonly ListedObject[]): void {
    const bytes = items.reduce((sum, one) => sum + one.bytes + BYTES_PER_OBJECT, 0);
    this.#drop(keyOf(state));
    if (bytes > MOST_BYTES) return;
    this.#bytes += bytes;
    this.#kept.set(keyOf(state), { items, after, bytes, keptAt: momentOf(this.#clock) });
    for (const [key, { keptAt }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES && isRecent(this.#clock, keptAt, KEPT_MS)) break;
      this.#drop(key);
    }
  }

  /** Returns all items after a place; `undefined` if they are not kept. */
  after(state: ListedState, place: string): readonly ListedObject[] | undefined {
    const kept = this.#kept.get(keyOf(state));
    if (!kept || place < kept.after || !isRecent(this.#clock, kept.keptAt, KEPT_MS)) return undefined;
    return kept.items.filter((item) => placeKey(item) > place);
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

function keyOf({ resource, namespace, position }: ListedState): string {
  return JSON.stringify([resource, namespace, position]);
}

/** A key that sorts as lists do, by namespace, then name: no name contains the separator. */
export function placeKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}\u0000${name}`;
}
