import type { KeyItem, KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { Mutation } from './Mutation.ts';

/** Defects of locks and of what is kept of a key. */
export const LOCK_MUTATIONS: readonly Mutation[] = [
  {
    name: 'no-intents',
    what: 'what a sync is about to create or to resize is not recorded, so the next holder knows nothing of it',
    seams: () => ({ keyLocks: (locks) => forgetting(locks, () => true) }),
  },
  {
    name: 'no-fence',
    what: 'a Deployment does not keep out the resizes that an earlier holder left on their way',
    seams: () => ({ keyLocks: (locks) => forgetting(locks, ({ controller }) => controller === 'deployment') }),
  },
  {
    name: 'no-lock',
    what: 'a key is synced by several workers at once',
    seams: () => ({
      keyLocks: (locks) => ({
        ...boundLocks(locks),
        acquire: async (key, holder, nowMs, untilMs) => {
          const acquired = await locks.acquire(key, holder, nowMs, untilMs);
          if (acquired.status === 'acquired') return acquired;
          return { status: 'acquired', item: (await locks.peek(key)) ?? { failures: 0 } };
        },
        recordIntent: async (key, holder, intent) => {
          await locks.recordIntent(key, holder, intent);
          return 'recorded';
        },
        release: async (key, holder, item, coveredMarks) => {
          const released = await locks.release(key, holder, item, coveredMarks);
          return released.status === 'lost' ? { status: 'released' } : released;
        },
      }),
    }),
  },
  {
    name: 'lost-dirty-mark',
    what: 'a message that meets a lock is acknowledged, and the release overlooks the mark that the message left',
    seams: () => {
      const met = new Set<string>();
      return {
        keyLocks: (locks) => ({
          ...boundLocks(locks),
          acquire: async (key, holder, nowMs, untilMs) => {
            const acquired = await locks.acquire(key, holder, nowMs, untilMs);
            if (acquired.status === 'held') met.add(encodeWorkKey(key));
            return acquired;
          },
          release: (key, holder, item) => locks.release(key, holder, item, Number.MAX_SAFE_INTEGER),
        }),
        syncHandler: (handler) => async (messages) =>
          (await handler(messages)).map(({ message, outcome }) => ({
            message,
            outcome: met.has(encodeWorkKey(message.key)) ? 'acknowledge' : outcome,
          })),
      };
    },
  },
  {
    name: 'old-syncs-satisfy',
    what: 'a message counts as satisfied by a sync that began up to ten seconds before it was due',
    seams: () => ({
      keyLocks: (locks) => ({
        ...boundLocks(locks),
        acquire: async (key, holder, nowMs, untilMs) => {
          const acquired = await locks.acquire(key, holder, nowMs, untilMs);
          if (acquired.status === 'held' || acquired.item.syncedFromMs === undefined) return acquired;
          return { ...acquired, item: { ...acquired.item, syncedFromMs: acquired.item.syncedFromMs + 10_000 } };
        },
      }),
    }),
  },
  {
    name: 'wake-up-not-stored',
    what: 'the time at which a key must be looked at again is sent, but not stored with the key',
    seams: () => ({
      keyLocks: forgettingWakeUps,
    }),
  },
  {
    name: 'inherited-deletes-forgotten',
    what: 'the deletes that an earlier holder of the lock left unfinished are not finished',
    seams: () => ({
      controller: (controller) => ({
        ...controller,
        sync: (key, context) => controller.sync(key, { ...context, item: withoutDeletes(context.item) }),
      }),
    }),
  },
  {
    name: 'dropped-wake-up',
    what: 'the time at which a key must be looked at again is neither stored nor sent',
    seams: () => ({
      keyLocks: forgettingWakeUps,
      workQueue: (queue) => ({
        send: (keys) => queue.send(keys.filter(({ delayMs = 0 }) => delayMs === 0)),
        hide: (message, delayMs) => queue.hide(message, delayMs),
        bury: (message, why) => queue.bury(message, why),
      }),
    }),
  },
  {
    name: 'gone-messages-presumed',
    what: 'a sync that has failed trusts in its message, which another worker has deleted',
    seams: () => ({
      syncConfig: (config) => ({ ...config, messageLastsMs: Number.POSITIVE_INFINITY }),
      workQueue: (queue) => ({
        send: (keys) => queue.send(keys),
        hide: async (message, delayMs) => {
          await queue.hide(message, delayMs);
          return 'hidden';
        },
        bury: (message, why) => queue.bury(message, why),
      }),
    }),
  },
  {
    name: 'renewal-forgotten',
    what: 'the message of a key that has failed is replaced after too many deliveries, and the new one is never sent',
    seams: () => {
      const locked = new Set<string>();
      const delayed = new Map<string, () => Promise<void>>();
      return {
        keyLocks: (locks) => ({
          ...boundLocks(locks),
          acquire: (key, ...given) => {
            locked.add(encodeWorkKey(key));
            return locks.acquire(key, ...given);
          },
          release: async (key, holder, item, coveredMarks) => {
            const encoded = encodeWorkKey(key);
            const send = delayed.get(encoded);
            delayed.delete(encoded);
            if (item.failures === 0) await send?.();
            const released = await locks.release(key, holder, item, coveredMarks);
            locked.delete(encoded);
            return released;
          },
        }),
        workQueue: (queue) => ({
          send: async (keys) => {
            const [first, ...others] = keys;
            const encoded = first && others.length === 0 && first.delayMs !== undefined && encodeWorkKey(first.key);
            if (encoded === false || encoded === undefined || !locked.has(encoded)) await queue.send(keys);
            else delayed.set(encoded, () => queue.send(keys));
          },
          hide: (message, delayMs) => queue.hide(message, delayMs),
          bury: (message, why) => queue.bury(message, why),
        }),
      };
    },
  },
];

/** Locks that store everything of a key but its wake-up. */
function forgettingWakeUps(locks: KeyLocks): KeyLocks {
  return {
    ...boundLocks(locks),
    release: (key, holder, item, coveredMarks) => {
      const { wakeAtMs: _, ...rest } = item;
      return locks.release(key, holder, rest, coveredMarks);
    },
  };
}

/** The locks as an object whose methods can be replaced. */
export function boundLocks(locks: KeyLocks): KeyLocks {
  return {
    acquire: (key, holder, nowMs, untilMs) => locks.acquire(key, holder, nowMs, untilMs),
    recordIntent: (key, holder, intent) => locks.recordIntent(key, holder, intent),
    release: (key, holder, item, coveredMarks) => locks.release(key, holder, item, coveredMarks),
    overdue: (beforeMs, limit) => locks.overdue(beforeMs, limit),
    peek: (key) => locks.peek(key),
  };
}

/** Locks that keep no intent of these keys. */
function forgetting(locks: KeyLocks, isForgotten: (key: WorkKey) => boolean): KeyLocks {
  const without = (key: WorkKey, item: KeyItem): KeyItem => {
    const { intent: _, ...rest } = item;
    return isForgotten(key) ? rest : item;
  };
  return {
    ...boundLocks(locks),
    recordIntent: async (key, holder, intent) =>
      isForgotten(key) ? 'recorded' : await locks.recordIntent(key, holder, intent),
    release: (key, holder, item, coveredMarks) => locks.release(key, holder, without(key, item), coveredMarks),
  };
}

function withoutDeletes(item: KeyItem): KeyItem {
  return item.intent ? { ...item, intent: { ...item.intent, deletes: [] } } : item;
}
