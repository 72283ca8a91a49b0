import { CLOUD_CLOCKS_DIFFER_MS } from '../limits.ts';

/** The sync function's times and counts. Times in milliseconds. */
export interface SyncConfig {
  /** The time from a sync's start to its deadline, from which on it begins no write. */
  readonly syncTimeoutMs: number;
  /** The time from a sync's deadline to the end of its lock. */
  readonly lockMarginMs: number;
  /** By how much the clocks of the queue's machines and of workers may differ. A sync satisfies only messages that were due more than this before it began. */
  readonly clockMarginMs: number;
  /** After this number of deliveries a retried message is replaced by a fresh one, well before the queue itself would move it to the dead letters. */
  readonly renewAfterReceives: number;
  /** A message that has been handled for longer may have come again, and another worker may have deleted it. Well below the queue's visibility timeout, since a message can have waited before its handling began. */
  readonly messageLastsMs: number;
}

export const EMBEDDED_SYNC_CONFIG: SyncConfig = {
  syncTimeoutMs: 30_000,
  lockMarginMs: 15_000,
  clockMarginMs: 0,
  renewAfterReceives: 50,
  messageLastsMs: 45_000,
};

/**
 * In the cloud a sync ends (30 s) before its function (40 s), the function before the lock (45 s), and the lock before the message comes again (90 s). Clocks differ by two seconds at
 * most.
 */
export const CLOUD_SYNC_CONFIG: SyncConfig = { ...EMBEDDED_SYNC_CONFIG, clockMarginMs: CLOUD_CLOCKS_DIFFER_MS };
