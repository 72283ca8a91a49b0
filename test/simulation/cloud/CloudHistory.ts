import { type Change, subjectOf } from '../../../lambdas/ports/ChangeLog.ts';
import { placeOf } from '../World.ts';

/** How many changes of each object had been written at some time. */
export type Mark = ReadonlyMap<string, number>;

/** The log remembers for 26 hours which versions it holds, and counts older ones as held. From a day on it depends on when its bitmaps were written. */
const TOLD_FOR_MS = 24 * 3_600_000;

/** All changes of one resource as they were written, object by object: changes of different objects have no order but that of the log. */
export class CloudHistory {
  readonly resource: string;
  readonly #changes = new Map<string, Change[]>();
  /** Pairs of versions that a watcher saw one right after the other: no other may see them the other way round. */
  readonly #pairs = new Set<string>();

  /** When the last change of each object was written. */
  readonly #writtenMs = new Map<string, number>();
  /** Ends of objects that watches need not tell, by their versions. */
  readonly #untold = new Set<number>();
  /** Versions of which the log never hears. */
  readonly #lost = new Set<number>();
  /** When what was written ends by itself, by the clock of its writer; for each version that does so. */
  readonly #endsMs = new Map<number, number>();
  readonly #latestNowMs: () => number;

  /** `latestNowMs` returns the latest time that any function's clock may show now. */
  constructor(resource: string, latestNowMs: () => number) {
    this.resource = resource;
    this.#latestNowMs = latestNowMs;
  }

  /** `atMs`: when it was written. `endsMs`: when what it wrote ends by itself, as its item says; absent if it does not. */
  append(change: Change, atMs: number, endsMs?: number): void {
    if (change.resource !== this.resource) return;
    if (endsMs !== undefined) this.#endsMs.set(change.version, endsMs);
    const place = placeOf(this.resource, subjectOf(change));
    const ageMs = atMs - (this.#writtenMs.get(place) ?? atMs);
    if (!change.after && this.resource === 'events' && ageMs > TOLD_FOR_MS) this.#untold.add(change.version);
    this.#writtenMs.set(place, atMs);
    const changes = this.#changes.get(place);
    if (changes) changes.push(change);
    else this.#changes.set(place, [change]);
  }

  /** Notes that the stream's record of a change was given up. Until its log begins anew, watchers miss the change. */
  lose(version: number): void {
    this.#lost.add(version);
  }

  /**
   * True if what the change wrote may have ended by itself, so that lists leave it out, although its item may still be there. Its writer's clock said when it ends, and each reader's clock says whether that is over. Both
   * may be wrong: by half an hour each, in opposite directions, an event has ended as soon as it is written.
   */
  mayHaveEnded({ version }: Change): boolean {
    const endsMs = this.#endsMs.get(version);
    return endsMs !== undefined && endsMs <= this.#latestNowMs();
  }

  /** True if the change ended an event so late that the log counts it as told: the time to live deleted it more than a day after it was written. Lists had left it out since it expired. */
  isUntold({ version }: Change): boolean {
    return this.#untold.has(version);
  }

  /** True if the records of all these changes of an object, from one place to another, were given up. */
  areLost(place: string, from: number, to: number): boolean {
    return this.changesOf(place)
      .slice(from, to)
      .every(({ version }) => this.#lost.has(version));
  }

  mark(): Mark {
    return new Map([...this.#changes].map(([place, changes]) => [place, changes.length]));
  }

  places(): readonly string[] {
    return [...this.#changes.keys()];
  }

  changesOf(place: string): readonly Change[] {
    return this.#changes.get(place) ?? [];
  }

  /** The place of a change among those of its object; -1 if there was none of that version. */
  indexOf(change: Change): number {
    const place = placeOf(this.resource, subjectOf(change));
    return this.changesOf(place).findIndex(({ version }) => version === change.version);
  }

  /** False if somebody has seen the two changes in the other order. */
  isOneOrder(first: number, next: number): boolean {
    this.#pairs.add(`${first} ${next}`);
    return !this.#pairs.has(`${next} ${first}`);
  }
}
