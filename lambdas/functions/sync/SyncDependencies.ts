import type { Controller } from '../../controllers/Controller.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { Tracing } from '../../ports/Tracing.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import type { SyncConfig } from './SyncConfig.ts';
import type { SyncRecord } from '../../explain/SyncHistory.ts';

/** What the sync function works with. */
export interface SyncDependencies {
  readonly ports: Pick<Ports, 'workQueue' | 'keyLocks' | 'clock' | 'workClock' | 'ids'>;
  readonly controllers: readonly Controller[];
  readonly config: SyncConfig;
  readonly metrics: SyncMetrics;
  /** Gets one line for each sync, and one for each message that could not be handled. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Called after every sync, to keep a history. */
  readonly onSync?: (record: SyncRecord) => void;
  /** Absent: syncs belong to no trace. */
  readonly tracing?: Tracing | undefined;
}

/** What the sync function counts: client-go's `workqueue` metrics, and the alarms. */
export interface SyncMetrics {
  /** Called when a sync begins, `waitedMs` after its message was due. The returned function is called when the sync has ended. */
  began(controller: string, waitedMs: number): () => void;
  /** Called when a key is queued again, after a failure or to be looked at later. */
  retried(controller: string): void;
  /** Called when a key has failed so often that a person should look: it was given up, or has reached the count at which other keys are given up. */
  alarmed(key: WorkKey, failures: number): void;
}

/** What becomes of a message: it is deleted, or it stays in the queue and comes again after its backoff or its visibility timeout. */
export interface MessageOutcome {
  readonly message: ReceivedMessage;
  readonly outcome: 'acknowledge' | 'keep';
}
