import type { Controller } from '../../controllers/Controller.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { SyncConfig } from './SyncConfig.ts';
import type { SyncMetrics } from './SyncMetrics.ts';
import type { SyncRecord } from './SyncRecord.ts';

/** What the sync function works with. */
export interface SyncDependencies {
  readonly ports: Pick<Ports, 'workQueue' | 'keyLocks' | 'clock' | 'ids'>;
  readonly controllers: readonly Controller[];
  readonly config: SyncConfig;
  readonly metrics: SyncMetrics;
  /** One line a sync, and one for each message that could not be handled. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Told of every sync, for those who keep a history. */
  readonly onSync?: (record: SyncRecord) => void;
}
