import type { ControllerRoom } from '../../controllers/ControllerRoom.ts';
import { controllerRooms } from '../../controllers/controllerRooms.ts';
import { type Clock, type Moment, momentOf } from '../../ports/Clock.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend } from '../../ports/WorkQueue.ts';

/** The controllers whose keys concern the changes of many pods. */
const PACED = new Set(controllerRooms.flatMap((room: ControllerRoom) => (room.isPaced ? [room.name] : [])));
/** SQS' shortest delay. */
const PERIOD_MS = 1_000;
/** A message that is due in less than this may be received before the change that is at hand is read. */
const MARGIN_MS = 100;
const MOST_KEYS = 2_000;
/** How many messages of a key go out at once after a pause: a rollout of three pods has about as many changes in a second that something waits for. */
const MOST_TOKENS = 10;
const TOKENS_PER_SECOND = 5;
/** A message of more changes takes another token for each so many: they are those of a crowd of pods, and a sync that looks at a crowd costs in proportion. */
const CHANGES_PER_TOKEN = 16;

interface Bucket {
  readonly tokens: number;
  /** When it had so many. */
  readonly since: Moment;
}

/**
 * Spaces the messages of keys that change with each of many pods. Each message that meets a held lock costs two writes and is received again, and a thousand pods change a ReplicaSet's world thousands of
 * times. So each key has a bucket of tokens, and a message that takes one goes out at once. When the bucket is empty, changes share one message that is due a second later: a sync that is caused by it begins
 * after all of them, and sees them.
 *
 * Nothing is lost: a message is left out only while another one of the key, which the queue has accepted, is not due yet. Both clocks must show that, because the wall clock may be set back, and the
 * steady one may stand still while a function is frozen. The tokens have no part in this proof: they only say whether a message goes out at once or later. So it does no harm that another
 * process has a bucket of its own for the key, or that a token is spent for a message which the queue then refuses.
 */
export class KeyPacer {
  readonly #clock: Clock;
  /** When the last message of each key is due. */
  readonly #due = new Map<string, Moment>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the messages to send for these keys, some of them later. Keys in `atOnce`, as `encodeWorkKey` writes them, are not held back: what a client asks of an object is not one of the many changes of
   * its pods.
   */
  pace(keys: readonly KeyToSend[], atOnce: ReadonlySet<string> = new Set()): readonly KeyToSend[] {
    return keys.flatMap((send) => {
      const key = encodeWorkKey(send.key);
      if (!isPaced(send) || atOnce.has(key) || this.#takeTokens(key, send.causes?.size ?? 1)) return [send];
      return this.#isStillToCome(key) ? [] : [{ ...send, delayMs: PERIOD_MS }];
    });
  }

  /** Must be called with the messages that `pace` returned when the queue has accepted them. `began`: the time before they were sent. */
  accepted(sent: readonly KeyToSend[], began: Moment): void {
    if (this.#due.size > MOST_KEYS) this.#due.clear();
    for (const send of sent) {
      const { key, delayMs = 0 } = send;
      if (!PACED.has(key.controller) || delayMs <= 0 || delayMs > PERIOD_MS) continue;
      this.#due.set(encodeWorkKey(key), { steadyMs: began.steadyMs + delayMs, timeMs: began.timeMs + delayMs });
    }
  }

  /** The time as both clocks show it. */
  now(): Moment {
    return momentOf(this.#clock);
  }

  /** True while a message of the key that the queue has accepted is not due yet, by either clock. */
  #isStillToCome(key: string): boolean {
    const due = this.#due.get(key);
    if (!due) return false;
    const now = this.now();
    return Math.min(due.steadyMs - now.steadyMs, due.timeMs - now.timeMs) > MARGIN_MS;
  }

  #takeTokens(key: string, changes: number): boolean {
    const since = this.now();
    const tokens = this.#tokensAt(key, since);
    if (tokens < 1) return false;
    if (this.#buckets.size > MOST_KEYS) this.#buckets.clear();
    this.#buckets.set(key, { tokens: tokens - Math.ceil(changes / CHANGES_PER_TOKEN), since });
    return true;
  }

  /** Either clock may show that time has passed: a bucket that nothing fills while the function is frozen would stay empty. */
  #tokensAt(key: string, now: Moment): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return MOST_TOKENS;
    const { tokens, since } = bucket;
    const passedMs = Math.max(0, now.steadyMs - since.steadyMs, now.timeMs - since.timeMs);
    return Math.min(MOST_TOKENS, tokens + (passedMs * TOKENS_PER_SECOND) / 1_000);
  }
}

/** True for a message that may be held back. */
export function isPaced({ key, delayMs = 0 }: KeyToSend): boolean {
  return delayMs <= 0 && PACED.has(key.controller);
}
