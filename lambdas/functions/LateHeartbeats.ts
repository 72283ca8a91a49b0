import type { Clock } from '../ports/Clock.ts';
import type { Log } from './createLog.ts';
import { LONGEST_UNREAD_MS, MINUTE_MS } from './limits.ts';

/** A trigger that was switched on again meets the heartbeats of an hour that are too old. One request is enough for them. */
const ASK_AGAIN_MS = 60 * MINUTE_MS;

export interface LateHeartbeatParts<Item> {
  readonly clock: Clock;
  /** When the heartbeat of which a record tells was written; `undefined` for every other record. */
  readonly timeOf: (record: Item) => number | undefined;
  /** Begins all logs anew and queues every key, some time from now. */
  readonly requestGivenUp: () => Promise<void>;
  readonly log: Log;
}

/**
 * Notices that a stream's trigger read nothing for about a day. DynamoDB drops records after 24 hours, and tells nobody. A trigger that is switched on again goes on with the oldest record that is left, so the first heartbeat that it
 * reads is about as old. A heartbeat is written every five minutes, and belongs to all of the stream: triggers stop as a whole.
 */
export class LateHeartbeats<Item> {
  readonly #parts: LateHeartbeatParts<Item>;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LateHeartbeatParts<Item>) {
    this.#parts = parts;
  }

  /** Looks at the heartbeats of a batch. If one is so old that records before it may have been dropped, it asks for what mends that. Throws if it cannot ask; then the batch must be looked at again. */
  async check(records: readonly Item[]): Promise<void> {
    const { clock, timeOf, requestGivenUp, log } = this.#parts;
    const nowMs = clock.now();
    const oldestMs = Math.min(...records.map((record) => timeOf(record) ?? Number.POSITIVE_INFINITY));
    if (nowMs - oldestMs < LONGEST_UNREAD_MS || nowMs - this.#askedAtMs < ASK_AGAIN_MS) return;
    log({ level: 'error', msg: 'the trigger read nothing for so long that changes may be lost', oldestMs });
    await requestGivenUp();
    this.#askedAtMs = nowMs;
  }
}
