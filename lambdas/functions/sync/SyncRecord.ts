import type { WorkKey } from '../../ports/WorkKey.ts';

/** What one sync came to: the log line, and what `explain` shows of it. */
export interface SyncRecord {
  readonly key: WorkKey;
  readonly beganAtMs: number;
  readonly durationMs: number;
  /**
   * - `failed`: it threw, or met conflicts until they counted as a failure; tried again after its backoff.
   * - `stalled`: it was still running at its deadline; its lock is left to end by itself.
   * - `lost`: its lock had ended and another worker has the key.
   */
  readonly outcome: 'done' | 'requeueAfter' | 'failed' | 'stalled' | 'lost';
  /** How often it observed anew because of a conflict. */
  readonly conflicts: number;
  readonly why: readonly string[];
  readonly observed?: Readonly<Record<string, unknown>>;
  readonly writes: readonly string[];
  /** When the key is looked at again without anything having changed. */
  readonly wakeAtMs?: number;
  /** Syncs in a row that failed, this one included. */
  readonly failures: number;
  /** True if it was given up after too many failures and is a dead letter now. */
  readonly buried?: boolean;
  readonly error?: string;
}
