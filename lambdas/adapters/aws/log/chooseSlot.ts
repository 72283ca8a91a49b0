import type { WatchRequest } from '../../../ports/WatchSlots.ts';
import { decodeWatchSlot, type StoredSlot, userDigits, type WatchSlot } from './watchSlot.ts';

/** The slots that are known to be taken, by their numbers. */
export type TakenSlots = ReadonlyMap<number, StoredSlot>;

export type SlotChoice =
  | { readonly status: 'free'; readonly slots: readonly number[] }
  /** Another watch has to go: the one that is stored so. */
  | { readonly status: 'push'; readonly slot: number; readonly stored: StoredSlot }
  | { readonly status: 'wait'; readonly retryAfterMs: number };

/** How long a watch goes on at least, if others want its slot: long enough to tell its client something, and for few writes of the slots. Milliseconds. */
const LEAST_MS = 5_000;
/** With many slots there are more such writes, all to one item. */
const LEAST_MS_PER_SLOT = 25;
/** A watch of many objects makes room earlier for somebody who waits for one. */
const LEAST_MS_BEFORE_ONE = 1_000;

/**
 * Chooses the slot of a new watch among `count`: any free one; otherwise the one of the user who would have most with it, of that user's watches those of many objects first, and the oldest of them. A watch that has just begun stays.
 * A slot whose number is not among `count`, because the stack allows fewer than before, is left alone. Pure.
 */
export function chooseSlot(
  taken: TakenSlots,
  count: number,
  watch: Pick<WatchRequest, 'user' | 'isOfOne'>,
  nowMs: number,
): SlotChoice {
  const all = Array.from({ length: count }, (_, slot) => slot);
  const held = all.flatMap((slot) => {
    const stored = taken.get(slot);
    return stored === undefined ? [] : [{ slot, stored, ...decodeWatchSlot(stored) }];
  });
  const running = held.filter(({ untilMs }) => untilMs >= nowMs);
  const free = all.filter((slot) => !running.some((one) => one.slot === slot));
  if (free.length > 0) return { status: 'free', slots: free };
  const candidates = ofTheRichest(running, userDigits(watch.user));
  const waits = candidates.map((one) => Math.max(0, staysUntilMs(one, watch, count) - nowMs));
  const ripe = candidates.filter((_, at) => waits[at] === 0);
  const [first] = ripe.sort((one, other) => Number(one.isOfOne) - Number(other.isOfOne) || one.beganMs - other.beganMs);
  if (first) return { status: 'push', slot: first.slot, stored: first.stored };
  const ends = running.map(({ untilMs }) => untilMs - nowMs);
  return { status: 'wait', retryAfterMs: Math.min(...waits, ...ends) };
}

/** How often a watch looks whether its slot is still its own. Milliseconds. */
export function lookEveryMs(count: number): number {
  return 2_000 + 10 * count;
}

/** The watches of the user who has most of them, the new one counted. If that is the new one's user too, it is that user's: nobody is pushed out for the sake of one who has as many. */
function ofTheRichest<T extends WatchSlot>(running: readonly T[], user: string): readonly T[] {
  const counts = new Map([[user, 1]]);
  for (const one of running) counts.set(one.user, (counts.get(one.user) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const own = running.filter((one) => one.user === user);
  if (counts.get(user) === most && own.length > 0) return own;
  return running.filter((one) => counts.get(one.user) === most);
}

function staysUntilMs({ beganMs, isOfOne }: WatchSlot, watch: Pick<WatchRequest, 'isOfOne'>, count: number): number {
  const leastMs = watch.isOfOne && !isOfOne ? LEAST_MS_BEFORE_ONE : LEAST_MS + LEAST_MS_PER_SLOT * count;
  return beganMs + leastMs;
}
