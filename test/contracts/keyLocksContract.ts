import { describe, expect, test } from 'vitest';
import { type Intent, type KeyItem, type KeyLocks, MAX_LOCK_MS } from '../../lambdas/ports/KeyLocks.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';

const T = Date.UTC(2026, 0, 1);
const INTENT: Intent = {
  id: 'i1',
  ownerUid: 'u1',
  count: 3,
  deletes: [{ name: 'web-x', uid: 'p1' }],
  memory: { indexes: [0, 2, 5] },
};

/** Declares the tests that every KeyLocks passes. Each test has its own keys, so that suites may share a table. */
export function keyLocksContract(name: string, open: () => Promise<{ locks: KeyLocks; close(): Promise<void> }>): void {
  let count = 0;
  const promise = (title: string, run: (locks: KeyLocks, key: WorkKey) => Promise<void>) =>
    test(title, async () => {
      const harness = await open();
      count += 1;
      try {
        await run(harness.locks, { controller: 'replicaset', namespace: 'default', name: `web-${count}` });
      } finally {
        await harness.close();
      }
    });
  const acquired = async (locks: KeyLocks, key: WorkKey, holder: string, nowMs = T): Promise<KeyItem> => {
    const outcome = await locks.acquire(key, holder, nowMs, nowMs + 45_000);
    if (outcome.status !== 'acquired') throw new Error(`not acquired: held until ${outcome.untilMs}`);
    return outcome.item;
  };

  describe(name, () => {
    promise('a new key is acquired with an empty item', async (locks, key) => {
      expect(await acquired(locks, key, 'a')).toEqual({ failures: 0 });
    });

    promise('acquiring a held lock fails and returns when the lock ends', async (locks, key) => {
      await acquired(locks, key, 'a');
      expect(await locks.acquire(key, 'b', T + 1, T + 60_000)).toEqual({ status: 'held', untilMs: T + 45_000 });
    });

    promise('the next holder gets the item of the last release', async (locks, key) => {
      await acquired(locks, key, 'a');
      const item = { failures: 2, wakeAtMs: T + 9_000, syncedFromMs: T, failedFromMs: T + 1, intent: INTENT };
      expect(await locks.release(key, 'a', item)).toEqual({ status: 'released' });
      expect(await acquired(locks, key, 'b')).toEqual(item);
    });

    promise('when a holder has died, another gets the lock after its end', async (locks, key) => {
      await acquired(locks, key, 'dead');
      expect((await locks.acquire(key, 'b', T + 44_999, T + 90_000)).status).toBe('held');
      expect((await locks.acquire(key, 'b', T + 45_000, T + 90_000)).status).toBe('acquired');
    });

    promise(
      'a lock that ends later than any lock can was taken before a clock was set back, and is free',
      async (locks, key) => {
        await acquired(locks, key, 'ahead', T + 7_200_000);
        expect((await locks.acquire(key, 'b', T, T + 45_000)).status).toBe('acquired');
        expect(await locks.release(key, 'ahead', { failures: 7 })).toEqual({ status: 'lost' });
        expect(await locks.release(key, 'b', { failures: 1 })).toEqual({ status: 'released' });
      },
    );

    promise('a lock of the longest time is held until its end', async (locks, key) => {
      await locks.acquire(key, 'a', T, T + MAX_LOCK_MS);
      expect((await locks.acquire(key, 'b', T, T + 45_000)).status).toBe('held');
      expect((await locks.acquire(key, 'b', T + MAX_LOCK_MS - 1, T + 100_000)).status).toBe('held');
      expect((await locks.acquire(key, 'b', T + MAX_LOCK_MS, T + 100_000)).status).toBe('acquired');
    });

    promise('a holder that lost its lock is refused', async (locks, key) => {
      await acquired(locks, key, 'stalled');
      await acquired(locks, key, 'b', T + 45_000);
      expect(await locks.recordIntent(key, 'stalled', INTENT)).toBe('lost');
      expect(await locks.release(key, 'stalled', { failures: 7 })).toEqual({ status: 'lost' });
      expect(await locks.release(key, 'b', { failures: 1 })).toEqual({ status: 'released' });
      expect(await acquired(locks, key, 'c', T + 50_000)).toEqual({ failures: 1 });
    });

    promise('a lock cannot be released twice', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.release(key, 'a', { failures: 1 });
      expect(await locks.release(key, 'a', { failures: 0 })).toEqual({ status: 'lost' });
    });

    promise('a release of a dirty key returns `dirty` and stores nothing', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.acquire(key, 'b', T + 1, T + 60_000);
      expect(await locks.release(key, 'a', { failures: 5 })).toEqual({ status: 'dirty', marks: 1 });
      expect((await locks.acquire(key, 'c', T + 2, T + 60_000)).status).toBe('held');
      expect(await locks.release(key, 'a', { failures: 5 }, 2)).toEqual({ status: 'released' });
      expect(await acquired(locks, key, 'd')).toEqual({ failures: 5 });
    });

    promise('a holder gets the traces of those who met its lock, and no later holder does', async (locks, key) => {
      const trace = (id: string, writtenAtMs: number) =>
        ({
          traceId: id.repeat(32),
          spanId: id.repeat(16),
          sinceMs: T,
          writtenAtMs,
          seenAtMs: T,
          via: 'writer',
          cause: `pods ${writtenAtMs}`,
        }) as const;
      await acquired(locks, key, 'a');
      await locks.acquire(key, 'b', T + 1, T + 60_000, [trace('c', T + 2)]);
      await locks.acquire(key, 'd', T + 2, T + 60_000);
      await locks.acquire(key, 'e', T + 3, T + 60_000, [trace('f', T + 1)]);
      const dirty = { status: 'dirty', marks: 3, traces: [trace('f', T + 1), trace('c', T + 2)] };
      expect(await locks.release(key, 'a', { failures: 0 })).toEqual(dirty);
      await locks.release(key, 'a', { failures: 0 }, 3);
      await acquired(locks, key, 'g');
      await locks.acquire(key, 'h', T + 4, T + 60_000);
      expect(await locks.release(key, 'g', { failures: 0 })).toEqual({ status: 'dirty', marks: 1 });
      await locks.release(key, 'g', { failures: 0 }, 1);
      await acquired(locks, key, 'dead');
      await locks.acquire(key, 'i', T + 5, T + 60_000, [trace('c', T + 2)]);
      await acquired(locks, key, 'k', T + 45_000);
      await locks.acquire(key, 'l', T + 45_001, T + 90_000);
      expect(await locks.release(key, 'k', { failures: 0 })).toEqual({ status: 'dirty', marks: 1 });
    });

    promise('what the sync for the last traced change waited for is kept', async (locks, key) => {
      const times = { noticeMs: 200, heldMs: 1, queueMs: 20, lockMs: 3, syncMs: 40 };
      const waited = { traceId: 'a'.repeat(32), writtenAtMs: T, via: 'stream', ...times } as const;
      await acquired(locks, key, 'a');
      await locks.release(key, 'a', { failures: 0, waited });
      expect(await locks.peek(key)).toEqual({ failures: 0, waited });
      expect(await acquired(locks, key, 'b')).toEqual({ failures: 0, waited });
    });

    promise('a mark set while the key is sent again makes the key dirty once more', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.acquire(key, 'b', T + 1, T + 60_000);
      expect(await locks.release(key, 'a', { failures: 0 })).toEqual({ status: 'dirty', marks: 1 });
      await locks.acquire(key, 'c', T + 2, T + 60_000);
      expect(await locks.release(key, 'a', { failures: 0 }, 1)).toEqual({ status: 'dirty', marks: 2 });
      expect(await locks.release(key, 'a', { failures: 0 }, 2)).toEqual({ status: 'released' });
    });

    promise('the next holder does not inherit the marks of a lock that was released', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.acquire(key, 'b', T + 1, T + 60_000);
      await locks.release(key, 'a', { failures: 0 }, 1);
      await acquired(locks, key, 'c');
      expect(await locks.release(key, 'c', { failures: 0 })).toEqual({ status: 'released' });
    });

    promise(
      'acquiring the lock of a dead holder clears the dirty mark, since the new sync covers it',
      async (locks, key) => {
        await acquired(locks, key, 'dead');
        await locks.acquire(key, 'b', T + 1, T + 60_000);
        await acquired(locks, key, 'c', T + 45_000);
        expect(await locks.release(key, 'c', { failures: 0 })).toEqual({ status: 'released' });
      },
    );

    promise('the next holder finds the intent of a holder that died', async (locks, key) => {
      await acquired(locks, key, 'dead');
      expect(await locks.recordIntent(key, 'dead', INTENT)).toBe('recorded');
      expect(await acquired(locks, key, 'b', T + 45_000)).toEqual({ failures: 0, intent: INTENT });
    });

    promise('an intent can be cleared', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.recordIntent(key, 'a', INTENT);
      await locks.recordIntent(key, 'a', undefined);
      expect(await acquired(locks, key, 'b', T + 45_000)).toEqual({ failures: 0 });
    });

    promise('a release without an intent clears it', async (locks, key) => {
      await acquired(locks, key, 'a');
      await locks.recordIntent(key, 'a', INTENT);
      await locks.release(key, 'a', { failures: 0 });
      expect(await acquired(locks, key, 'b')).toEqual({ failures: 0 });
    });

    promise('keys whose wake-up has passed are overdue, the earliest first', async (locks, key) => {
      const keys = [30, 10, 20, 90].map((seconds) => ({ key: { ...key, name: `${key.name}-${seconds}` }, seconds }));
      for (const { key, seconds } of keys) {
        await acquired(locks, key, 'a');
        await locks.release(key, 'a', { failures: 0, wakeAtMs: T + seconds * 1_000 });
      }
      const overdue = await locks.overdue(T + 60_000, 2);
      expect(overdue).toEqual([keys[1]?.key, keys[2]?.key]);
      for (const { key } of keys) {
        await acquired(locks, key, 'b', T + 100_000);
        await locks.release(key, 'b', { failures: 0 });
      }
      expect(await locks.overdue(T + 1_000_000, 10)).toEqual([]);
    });

    promise('peek returns the item and the end of its lock', async (locks, key) => {
      expect(await locks.peek(key)).toBeUndefined();
      await acquired(locks, key, 'a');
      expect(await locks.peek(key)).toEqual({ failures: 0, heldUntilMs: T + 45_000 });
      await locks.release(key, 'a', { failures: 3 });
      expect(await locks.peek(key)).toEqual({ failures: 3 });
    });
  });
}
