import type { Controller } from '../../lambdas/controllers/Controller.ts';
import type { MessageOutcome } from '../../lambdas/functions/sync/MessageOutcome.ts';
import type { SyncHandler } from '../../lambdas/functions/sync/handler.ts';
import type { ControllerName } from '../../lambdas/ports/WorkKey.ts';
import type { KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import type { ObjectStore } from '../../lambdas/ports/ObjectStore.ts';
import type { WorkQueue } from '../../lambdas/ports/WorkQueue.ts';

/** A deliberate defect: what a worker is given, changed where it is handed over. */
export interface Mutation {
  readonly name: string;
  /** What is broken, in a sentence. */
  readonly what: string;
  /** The store as that controller sees it. */
  objectStore?(store: ObjectStore, controller: ControllerName): ObjectStore;
  keyLocks?(locks: KeyLocks): KeyLocks;
  workQueue?(queue: WorkQueue): WorkQueue;
  controller?(controller: Controller): Controller;
  syncHandler?(handler: SyncHandler, acknowledge: (outcome: MessageOutcome['message']) => void): SyncHandler;
}
