import type { ChangeLog } from './ChangeLog.ts';
import type { Clock } from './Clock.ts';
import type { Ids } from './Ids.ts';
import type { KeyLocks } from './KeyLocks.ts';
import type { ObjectStore } from './ObjectStore.ts';
import type { PodRuntime } from './PodRuntime.ts';
import type { WorkQueue } from './WorkQueue.ts';

/** Everything outside of Driftless that its functions use. A composition chooses the adapters. */
export interface Ports {
  readonly objectStore: ObjectStore;
  readonly changeLog: ChangeLog;
  readonly workQueue: WorkQueue;
  readonly keyLocks: KeyLocks;
  readonly podRuntime: PodRuntime;
  readonly clock: Clock;
  /**
   * The clock of queue, locks and wake-ups, whose times workers compare. In one process it never steps. Several processes share no such clock: there it is the machine's clock, which differs from
   * those of others and may step.
   */
  readonly workClock: Clock;
  readonly ids: Ids;
}
