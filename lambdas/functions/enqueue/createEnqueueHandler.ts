import type { Controller } from '../../controllers/Controller.ts';
import type { Change } from '../../ports/ChangeLog.ts';
import type { WorkQueue } from '../../ports/WorkQueue.ts';
import { mergeKeys } from './mergeKeys.ts';

export interface EnqueueDependencies {
  readonly workQueue: WorkQueue;
  readonly controllers: readonly Controller[];
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** Queues the keys that a batch of changes concerns. Resolves to the changes for which this failed: the caller hands them in again. */
export type EnqueueHandler = (changes: readonly Change[]) => Promise<readonly Change[]>;

/** Creates the counterpart of the informers' event handlers: it shows each change to the controllers that watch its resource. Never rejects. */
export function createEnqueueHandler({ workQueue, controllers, log }: EnqueueDependencies): EnqueueHandler {
  return async (changes) => {
    const news = changes.filter((change) => !isResync(change));
    const concerned = await Promise.allSettled(news.map((change) => keysConcerned(controllers, change)));
    const keys = concerned.flatMap((settled) => (settled.status === 'fulfilled' ? settled.value : []));
    const failed = news.filter((_, at) => concerned[at]?.status === 'rejected');
    for (const settled of concerned) {
      if (settled.status === 'rejected') log({ level: 'error', msg: 'enqueue', error: String(settled.reason) });
    }
    const merged = mergeKeys(keys);
    if (merged.length === 0) return failed;
    try {
      await workQueue.send(merged);
      return failed;
    } catch (error) {
      log({ level: 'error', msg: 'enqueue', error: String(error) });
      return news;
    }
  };
}

/** An informer's periodic resync shows as an update to the same version, which Kubernetes' handlers skip. */
function isResync(change: Change): boolean {
  return change.type === 'MODIFIED' && change.before.metadata.resourceVersion === change.after.metadata.resourceVersion;
}

async function keysConcerned(controllers: readonly Controller[], change: Change) {
  const watching = controllers.filter(({ watches }) => watches.includes(change.resource));
  return (await Promise.all(watching.map((controller) => controller.keysFor(change)))).flat();
}
