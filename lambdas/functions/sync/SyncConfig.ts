/** The times and counts by which the sync function works; milliseconds. */
export interface SyncConfig {
  /** How long one sync may take; it starts no write that could end later. */
  readonly syncTimeoutMs: number;
  /** By how much a lock outlives the sync's deadline. */
  readonly lockMarginMs: number;
  /** How far the clocks of senders and workers may differ: a sync satisfies messages that were due so long before it began. */
  readonly clockMarginMs: number;
  /** Deliveries after which a retried message is replaced by a fresh one, well before the queue's own last resort calls it dead. */
  readonly renewAfterReceives: number;
}

export const EMBEDDED_SYNC_CONFIG: SyncConfig = {
  syncTimeoutMs: 30_000,
  lockMarginMs: 15_000,
  clockMarginMs: 0,
  renewAfterReceives: 50,
};

/**
 * In the cloud: a sync ends before its function does (40 s), that before the lock (45 s), and the lock before the message comes again (90 s). Clocks differ
 * by two seconds at most.
 */
export const CLOUD_SYNC_CONFIG: SyncConfig = { ...EMBEDDED_SYNC_CONFIG, clockMarginMs: 2_000 };
