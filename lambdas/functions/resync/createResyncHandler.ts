import type { Controller } from '../../controllers/Controller.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Ports } from '../../ports/Ports.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import { mergeKeys } from '../enqueue/mergeKeys.ts';
import { MINUTE_MS, OVERDUE_PERIOD_MS } from '../limits.ts';
import { expireEvents } from './expireEvents.ts';

const PAGE_SIZE = 500;
/** Enough for one look a minute; what is left stays overdue for the next. */
const OVERDUE_LIMIT = 5_000;
/** Looking through all events costs more than an hour needs to be exact. */
const EXPIRY_PERIOD_MS = 10 * MINUTE_MS;

export interface ResyncDependencies {
  readonly ports: Pick<Ports, 'objectStore' | 'keyLocks' | 'workQueue' | 'clock'>;
  readonly controllers: readonly Controller[];
}

/**
 * - `overdue`: keys whose wake-up should have come `graceMs` ago: the safety net under delayed messages. Asked for every minute; the first time in ten minutes it
 *   also removes the events whose hour is over.
 * - `all`: every key of every controller: at start, daily, and when changes were lost.
 */
export type ResyncRequest = { readonly what: 'overdue'; readonly graceMs: number } | { readonly what: 'all' };

export type ResyncHandler = (request: ResyncRequest) => Promise<number>;

/** The level trigger behind the edge trigger. Resolves to the number of keys queued. */
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
  const nowMs = ports.clock.now();
  const keys = await ports.keyLocks.overdue(nowMs - graceMs, OVERDUE_LIMIT);
  const queued = await queue(ports, keys);
  if (nowMs % EXPIRY_PERIOD_MS < OVERDUE_PERIOD_MS) await expireEvents(ports);
  return queued;
}

/** Lists each resource once, whatever number of controllers it is a key of. */
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
