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

/**
 * Spaces the messages of keys that change with each of many pods. Each message that meets a held lock costs two writes and is received again, and a thousand pods change a ReplicaSet's world thousands of
 * times. A key's first message goes out at once. Changes in the second after it share one message that is due a second later: a sync that is caused by it begins after all of them, and sees them.
 *
 * So nothing is lost: a message is left out only while another one of the key, which the queue has accepted, is not due yet. Both clocks must show that, because the wall clock may be set back, and the
 * steady one may stand still while a function is frozen.
 */
export class KeyPacer {
  readonly #clock: Clock;
  /** When the last message of each key is due. */
  readonly #due = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the messages to send for these keys, some of them later. Keys in `atOnce`, as `encodeWorkKey` writes them, are not held back: what a client asks of an object is not one of the many changes of
   * its pods.
   */
  pace(keys: readonly KeyToSend[], atOnce: ReadonlySet<string> = new Set()): readonly KeyToSend[] {
    return keys.flatMap((send) => {
      if (!isPaced(send) || atOnce.has(encodeWorkKey(send.key))) return [send];
      const due = this.#due.get(encodeWorkKey(send.key));
      if (!due) return [send];
      const [latestMs, earliestMs] = this.#untilDue(due);
      if (earliestMs > MARGIN_MS) return [];
      return latestMs > -PERIOD_MS ? [{ ...send, delayMs: PERIOD_MS }] : [send];
    });
  }

  /** Must be called with the messages that `pace` returned when the queue has accepted them. `began`: the time before they were sent. */
  accepted(sent: readonly KeyToSend[], began: Moment): void {
    if (this.#due.size > MOST_KEYS) this.#due.clear();
    for (const send of sent) {
      const { key, delayMs = 0 } = send;
      if (!PACED.has(key.controller) || delayMs > PERIOD_MS) continue;
      this.#due.set(encodeWorkKey(key), { steadyMs: began.steadyMs + delayMs, timeMs: began.timeMs + delayMs });
    }
  }

  /** The time as both clocks show it. */
  now(): Moment {
    return momentOf(this.#clock);
  }

  /** Returns for how long the message is not due yet, as the two clocks say: the longer time and the shorter one. */
  #untilDue({ steadyMs, timeMs }: Moment): readonly [number, number] {
    const now = this.now();
    const left = [steadyMs - now.steadyMs, timeMs - now.timeMs];
    return [Math.max(...left), Math.min(...left)];
  }
}

/** True for a message that may be held back. */
export function isPaced({ key, delayMs = 0 }: KeyToSend): boolean {
  return delayMs <= 0 && PACED.has(key.controller);
}
