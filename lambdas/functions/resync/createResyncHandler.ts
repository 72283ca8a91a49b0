import type { Controller } from '../../controllers/Controller.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { mergeKeys } from '../enqueue/mergeKeys.ts';
import { MINUTE_MS, OVERDUE_PERIOD_MS } from '../limits.ts';
import { expireEvents } from './expireEvents.ts';

const PAGE_SIZE = 500;
/** How many overdue keys one run queues. The others stay overdue for the run a minute later. */
const OVERDUE_LIMIT = 5_000;
/** How often expired events are removed. Reading all events every minute would cost more than an exact lifetime is worth. */
const EXPIRY_PERIOD_MS = 10 * MINUTE_MS;

export interface ResyncDependencies {
  readonly ports: Pick<Ports, 'objectStore' | 'keyLocks' | 'workQueue' | 'clock' | 'workClock'>;
  readonly controllers: readonly Controller[];
}

/**
 * - `overdue` queues the keys whose wake-up is late by more than `graceMs`, in case a delayed message was lost. It comes every minute; once in ten minutes it also
 *   removes expired events.
 * - `all` queues every key of every controller. It comes at the start, daily, and when changes were lost.
 */
export type ResyncRequest = { readonly what: 'overdue'; readonly graceMs: number } | { readonly what: 'all' };

export type ResyncHandler = (request: ResyncRequest) => Promise<number>;

/** Creates the level trigger that backs up the edge trigger. The handler resolves to the number of keys queued. */
export function createResyncHandler(dependencies: ResyncDependencies): ResyncHandler {
  return async (request) => {
    switch (request.what) {
      case 'overdue':
        return await queueOverdue(dependencies, request.graceMs);
      case 'all':
        return await queueAll(dependencies);
    }
  };
}

async function queueOverdue({ ports }: ResyncDependencies, graceMs: number): Promise<number> {
  const nowMs = ports.workClock.now();
  const keys = await ports.keyLocks.overdue(nowMs - graceMs, OVERDUE_LIMIT);
  const queued = await queue(ports, keys);
  if (nowMs % EXPIRY_PERIOD_MS < OVERDUE_PERIOD_MS) await expireEvents(ports);
  return queued;
}

/** Lists each resource once, even if several controllers have keys for it. */
async function queueAll({ ports, controllers }: ResyncDependencies): Promise<number> {
  let queued = 0;
  for (const resource of new Set(controllers.flatMap(({ resources }) => resources))) {
    const concerned = controllers.filter(({ resources }) => resources.includes(resource));
    queued += await queueAllOf(ports, resource, concerned);
  }
  return queued;
}

async function queueAllOf(
  ports: ResyncDependencies['ports'],
  resource: GroupResource,
  controllers: readonly Controller[],
): Promise<number> {
  let queued = 0;
  let after: { namespace: string; name: string } | undefined;
  for (;;) {
    const page = await ports.objectStore.list(resource, { limit: PAGE_SIZE, ...(after && { after }) });
    const keys = page.items.flatMap((object) =>
      controllers.flatMap((controller) => controller.keysToResync(object, resource)),
    );
    queued += await queue(ports, keys);
    const last = page.items.at(-1)?.metadata;
    if (!page.more || !last) return queued;
    after = { namespace: last.namespace ?? '', name: last.name };
  }
}

async function queue({ workQueue }: ResyncDependencies['ports'], keys: readonly WorkKey[]): Promise<number> {
  const merged = mergeKeys(keys.map((key) => ({ key })));
  if (merged.length > 0) await workQueue.send(merged);
  return merged.length;
}
