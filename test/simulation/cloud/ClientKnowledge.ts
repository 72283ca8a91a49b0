import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { type Change, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import { placeOf } from '../World.ts';
import type { CloudHistory, Mark } from './CloudHistory.ts';

/** The changes of an object of which the client knows one to be the newest: their places among the object's changes, from the first to the last possible. */
type Known = readonly [least: number, most: number];

/**
 * What a client knows of a resource's objects from its lists and watches. It judges what the client is told next: each method returns what is wrong with that, or `undefined`.
 *
 * A list holds what was written before it began, and nothing that was written after its first page. A watch brings each later change of each object, in the object's order, and all watchers see one order.
 * Nothing comes again, with one exception: a client that resumes from the version of a change that was logged after higher ones may go back in the log. It must then get every
 * change from there on again, so that it ends where it was. Positions of lists and bookmarks are exact, so nobody goes back from them, but from a bookmark that came while
 * changes came again.
 */
export class ClientKnowledge {
  readonly #history: CloudHistory;
  #known = new Map<string, Known>();
  #position = 0;
  /** The position of its list. */
  #listedAt = 0;
  /** The highest position or version that the client was told. */
  #highest = 0;
  #isExact = false;
  /** False if it must still list: at first, and when it has missed a change whose record was given up. Then its log begins anew, and its watch expires. */
  #hasListed = false;
  /** True if the present watch may bring what is known. */
  #mayRepeat = false;
  /** The versions of the changes that the client was told since its list, and of the one among them that comes last in the log. */
  readonly #told = new Set<number>();
  #furthest: number | undefined;
  /** True while the present watch may be at a place of the log before that last one. */
  #isCatchingUp = false;
  /** The versions that the present watch brought, and the last of them. */
  #seen = new Set<number>();
  #previous: number | undefined;

  constructor(history: CloudHistory) {
    this.#history = history;
  }

  /** Where the next watch begins: at the list's position, the last bookmark's, or the version of the last change. */
  get position(): number {
    return this.#position;
  }

  /** True if the client was told exactly what the log holds up to its position. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** A place of which it does not know all that was written; `undefined` if it knows all. */
  behind(): string | undefined {
    const history = this.#history;
    if (!this.#hasListed) return 'everything';
    return history.places().find((place) => {
      const changes = history.changesOf(place);
      const last = changes.length - 1;
      const newest = changes[last];
      const [least, most] = this.#known.get(place) ?? [-1, -1];
      const needed = newest && history.isUntold(newest) ? last - 1 : last;
      return last < least || needed > most;
    });
  }

  /** Takes in a list: of each object it has a state that stood at some time between its begin and the end of its first page. */
  list(items: readonly KubernetesObject[], position: number, began: Mark, ended: Mark): string | undefined {
    const history = this.#history;
    const violation = position < this.#highest && `lists at position ${position} after it has seen ${this.#highest}`;
    if (violation) return violation;
    const listed = new Map(
      items.map((item) => [placeOf(history.resource, item), Number(item.metadata.resourceVersion)]),
    );
    this.#known = new Map();
    for (const place of new Set([...ended.keys(), ...listed.keys()])) {
      const [from, to] = [(began.get(place) ?? 0) - 1, (ended.get(place) ?? 0) - 1];
      const known = knownOf(history, place, listed.get(place), [from, to]);
      if (!known) return `lists ${place} as it was at no time meanwhile: version ${listed.get(place) ?? 'none'}`;
      this.#known.set(place, known);
    }
    this.#hasListed = true;
    this.#told.clear();
    this.#furthest = undefined;
    this.#listedAt = position;
    this.#goTo(position, true);
    return undefined;
  }

  /** Begins a watch at its position. */
  beginWatch(): void {
    this.#mayRepeat = !this.#isExact;
    this.#isCatchingUp = this.#mayRepeat && this.#furthest !== undefined;
    this.#seen = new Set();
    this.#previous = undefined;
  }

  bookmark(position: number): string | undefined {
    if (position < this.#highest && !this.#mayRepeat)
      return `gets a bookmark at ${position} after it has seen ${this.#highest}`;
    // Of what is logged after this position, the client may have seen a part before it went back, even if the position is higher than all versions of that. All that is logged before its list was in the list.
    this.#goTo(position, !this.#isCatchingUp && position >= this.#listedAt);
    return undefined;
  }

  /** Takes in the next change of its watch. */
  change(change: Change): string | undefined {
    const { version } = change;
    if (version === this.#furthest || !this.#told.has(version)) this.#isCatchingUp = false;
    if (!this.#isCatchingUp) this.#furthest = version;
    this.#told.add(version);
    const violation = this.#disorder(version) ?? this.#apply(change);
    this.#seen.add(version);
    this.#previous = version;
    this.#goTo(version, version > this.#highest);
    return violation;
  }

  #goTo(position: number, isExact: boolean): void {
    this.#position = position;
    this.#highest = Math.max(this.#highest, position);
    this.#isExact = isExact;
  }

  #disorder(version: number): string | undefined {
    if (this.#seen.has(version)) return `gets version ${version} twice in one watch`;
    const previous = this.#previous;
    if (previous === undefined || this.#history.isOneOrder(previous, version)) return undefined;
    return `sees versions ${previous} and ${version} in another order than others`;
  }

  #apply(change: Change): string | undefined {
    const history = this.#history;
    const place = placeOf(history.resource, subjectOf(change));
    const index = history.indexOf(change);
    if (index < 0) return `hears of version ${change.version} of ${place}, which was never written`;
    const [least, most] = this.#known.get(place) ?? [-1, -1];
    // A list has shown this state before the log caught up, and left out those before it.
    if (index === least && (change.merged || this.#isEndOfExpired(place, change, index))) return undefined;
    if (index <= least && !this.#mayRepeat) return `goes back to version ${change.version} of ${place}`;
    if (index > most + 1 && !change.merged) {
      if (!history.areLost(place, most + 1, index))
        return `has missed a change of ${place} before version ${change.version}`;
      this.#hasListed = false;
    }
    this.#known.set(place, [index, index]);
    return undefined;
  }

  /** What ended by itself leaves no tombstone, so a list cannot say that it is gone, and a DELETED comes after it: of what the client does not have. */
  #isEndOfExpired(place: string, change: Change, index: number): boolean {
    const previous = this.#history.changesOf(place)[index - 1];
    return !change.after && previous !== undefined && this.#history.mayHaveEnded(previous);
  }
}

/** The places among an object's changes that fit what a list shows of it: those of that version or, if it shows none, those after which the object was not there. */
function knownOf(
  history: CloudHistory,
  place: string,
  version: number | undefined,
  [least, most]: readonly [number, number],
): Known | undefined {
  const changes = history.changesOf(place);
  const fitting: number[] = [];
  for (let at = Math.max(-1, least); at <= most; at += 1) {
    const change = changes[at];
    const isAbsent = !change?.after || history.mayHaveEnded(change);
    if (version === undefined ? isAbsent : change?.after && change.version === version) fitting.push(at);
  }
  return fitting.length === 0 ? undefined : [fitting[0] as number, fitting.at(-1) as number];
}
