import type { ControllerName, WorkKey } from '../../ports/WorkKey.ts';

/** What the sync function counts; client-go's `workqueue` metrics and the alarms. */
export interface SyncMetrics {
  /** A sync began, `waitedMs` after its message was due. The returned function is to be called when it has ended. */
  began(controller: ControllerName, waitedMs: number): () => void;
  /** A key was queued again: after a failure, or to be looked at later. */
  retried(controller: ControllerName): void;
  /** A key has failed so often that somebody should look: it was given up, or has reached the count at which others are. */
  alarmed(key: WorkKey, failures: number): void;
}
