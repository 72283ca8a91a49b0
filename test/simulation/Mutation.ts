import type { Controller } from '../../lambdas/controllers/Controller.ts';
import type { EnqueueHandler } from '../../lambdas/functions/enqueue/createEnqueueHandler.ts';
import type { SyncConfig } from '../../lambdas/functions/sync/SyncConfig.ts';
import type { SyncHandler } from '../../lambdas/functions/sync/createSyncHandler.ts';
import type { KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { ReceivedMessage, WorkQueue } from '../../lambdas/ports/WorkQueue.ts';
import type { ExactLog } from './gatedLog.ts';
import type { Registry } from '../../lambdas/registry/Registry.ts';
import type { watchEvents } from '../../lambdas/rest/watch/watchEvents.ts';

/** What serves a watch. */
export type Watch = typeof watchEvents;

/** What one worker is given, changed where it is handed over; whatever is absent stays as it is. */
export interface Seams {
  /** The store as that controller sees it. */
  objectStore?(store: ObjectStore, controller: ControllerName): ObjectStore;
  /** The registry as that controller sees it. */
  registry?(registry: Registry, controller: ControllerName): Registry;
  /** The log as that controller sees it. */
  exactLog?(log: ExactLog, controller: ControllerName): ExactLog;
  /** The registry as evictions see it. */
  evictions?(registry: Registry): Registry;
  syncConfig?(config: SyncConfig): SyncConfig;
  keyLocks?(locks: KeyLocks): KeyLocks;
  workQueue?(queue: WorkQueue): WorkQueue;
  controller?(controller: Controller): Controller;
  syncHandler?(handler: SyncHandler, acknowledge: (message: ReceivedMessage) => void): SyncHandler;
  enqueueHandler?(handler: EnqueueHandler): EnqueueHandler;
  watch?(watch: Watch): Watch;
}

/** A deliberate defect, to see that the simulation finds it. */
export interface Mutation {
  readonly name: string;
  /** What is broken, in a sentence. */
  readonly what: string;
  /** Called once for each worker, so that a defect may remember what its worker saw. */
  seams(): Seams;
}
