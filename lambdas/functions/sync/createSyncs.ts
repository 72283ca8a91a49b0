import type { WorkQueue } from '../../ports/WorkQueue.ts';
import { createSyncHandler, type SyncHandler } from './createSyncHandler.ts';
import { FollowUps } from './FollowUps.ts';
import type { SyncDependencies } from './SyncDependencies.ts';

export interface Syncs {
  /** Syncs the keys of received messages. */
  readonly sync: SyncHandler;
  readonly followUps: FollowUps;
}

/** Creates what syncs the keys of received messages, and those of the changes that these syncs make. What the latter send goes to `followUpQueue`. */
export function createSyncs(dependencies: SyncDependencies, followUpQueue = dependencies.ports.workQueue): Syncs {
  const { ports, config } = dependencies;
  const { workQueue, clock } = ports;
  const followUps: FollowUps = new FollowUps({
    ...dependencies,
    workQueue,
    clock,
    sync: (messages) => later(messages),
  });
  const observed = { ...ports, keyLocks: followUps.observe(ports.keyLocks) };
  const received = createSyncHandler({ ...dependencies, ports: observed });
  const later = createSyncHandler({
    ...dependencies,
    ports: { ...observed, workQueue: queueWithoutMessage(followUpQueue) },
    // There is no message that could come back.
    config: { ...config, messageLastsMs: 0 },
  });
  const sync: SyncHandler = (messages) => {
    followUps.noteReceived(messages);
    return received(messages);
  };
  return { sync, followUps };
}

/** The queue for keys of which it has no message: where one would come again, the sync handler sends a fresh one. */
function queueWithoutMessage(workQueue: WorkQueue): WorkQueue {
  return {
    send: (keys) => workQueue.send(keys),
    hide: async () => 'gone',
    bury: (message, why) => workQueue.bury(message, why),
  };
}
