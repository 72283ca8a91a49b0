import type { Controller } from '../../controllers/Controller.ts';
import type { Ports } from '../../ports/Ports.ts';
import { MINUTE_MS, OVERDUE_PERIOD_MS } from '../limits.ts';
import { expireEvents } from './expireEvents.ts';
import { queueAllKeys, queueKeys, type ResyncAll } from './queueAllKeys.ts';

/** How many overdue keys one run queues. The others stay overdue for the run a minute later. */
const OVERDUE_LIMIT = 5_000;
/** How often expired events are removed. Reading all events every minute would cost more than an exact lifetime is worth. */
const EXPIRY_PERIOD_MS = 10 * MINUTE_MS;

export interface ResyncDependencies {
  readonly ports: Pick<Ports, 'objectStore' | 'keyLocks' | 'workQueue' | 'clock' | 'workClock'>;
  readonly controllers: readonly Controller[];
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** True if expired events leave the store by themselves. */
  readonly storeExpiresEvents?: boolean;
}

/**
 * - `overdue` queues the keys whose wake-up is late by more than `graceMs`, in case a delayed message was lost. It comes every minute; once in ten minutes it also
 *   removes expired events, if the store does not.
 * - `all` queues every key of every controller. It comes at the start, daily, and when changes were lost.
 */
export type ResyncRequest = { readonly what: 'overdue'; readonly graceMs: number } | ResyncAll;

export type ResyncHandler = (request: ResyncRequest) => Promise<number>;

/** Creates the level trigger that backs up the edge trigger. The handler resolves to the number of keys queued. */
export function createResyncHandler(dependencies: ResyncDependencies): ResyncHandler {
  return async (request) => {
    switch (request.what) {
      case 'overdue':
        return await queueOverdue(dependencies, request.graceMs);
      case 'all':
        return await queueEveryKey(dependencies, request);
    }
  };
}

async function queueOverdue({ ports, storeExpiresEvents = false }: ResyncDependencies, graceMs: number) {
  const nowMs = ports.workClock.now();
  const keys = await ports.keyLocks.overdue(nowMs - graceMs, OVERDUE_LIMIT);
  const queued = await queueKeys(ports, keys);
  if (!storeExpiresEvents && nowMs % EXPIRY_PERIOD_MS < OVERDUE_PERIOD_MS) await expireEvents(ports);
  return queued;
}

async function queueEveryKey(dependencies: ResyncDependencies, request: ResyncAll): Promise<number> {
  const { queued, error } = await queueAllKeys(dependencies, request);
  if (error !== undefined) throw new Error(error);
  return queued;
}
