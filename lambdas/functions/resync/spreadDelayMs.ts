import { MAX_QUEUE_DELAY_MS } from '../../ports/WorkQueue.ts';

/**
 * How many keys of a run over all become due in a second. Two batches of `sync`, the fewest that a stack has, sync several times as many (`test/functions/spreadResyncOverModels.test.ts`), so most of their time is left for other keys.
 */
export const SPREAD_KEYS_PER_SECOND = 25;

/** As many as fit into the longest delay of the queue. */
const KEYS_PER_ROUND = (MAX_QUEUE_DELAY_MS / 1000) * SPREAD_KEYS_PER_SECOND;

/**
 * Returns the delay, in milliseconds, with which a run over all keys sends the key before which it has sent so many others. Keys become due in the order in which they are sent. With more than the longest delay has room for, it begins anew: they are evenly
 * dense then, and never later. With 60,000 keys the first 15,000 places are taken three times, and the other 7,500 twice. Pure.
 */
export function spreadDelayMs(sent: number): number {
  return Math.floor((sent % KEYS_PER_ROUND) / SPREAD_KEYS_PER_SECOND) * 1000;
}
