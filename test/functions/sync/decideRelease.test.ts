import { array, assert, integer, property } from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { decideRelease, type ReleaseInput } from '../../../lambdas/functions/sync/decideRelease.ts';
import { MAX_QUEUE_DELAY_MS } from '../../../lambdas/ports/WorkQueue.ts';

const T = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const INTENT = { id: 'i1', ownerUid: 'u1', count: 3, deletes: [] };

function input(changes: Partial<ReleaseInput>): ReleaseInput {
  return {
    end: { status: 'done' },
    item: { failures: 0 },
    intent: undefined,
    beganAtMs: T,
    syncedFromMs: changes.beganAtMs ?? T,
    nowMs: T + 100,
    receiveCount: 1,
    maxRetries: undefined,
    renewAfterReceives: 50,
    mayBeGone: false,
    clockMarginMs: 0,
    ...changes,
  };
}

const after = (delayMs: number) => ({ status: 'requeueAfter', delayMs }) as const;
const failed = { status: 'failed' } as const;

describe('a sync that ends well', () => {
  test('forgets its failures and notes when it began', () => {
    expect(decideRelease(input({ item: { failures: 7, syncedFromMs: T - 5_000 } }))).toEqual({
      item: { failures: 0, syncedFromMs: T },
      message: { fate: 'acknowledge' },
    });
  });

  test('has seen the changes for which its key was sent, besides those that its key had seen', () => {
    const item = { failures: 0, seen: new Set(['pods 4']) };
    expect(decideRelease(input({ item, causes: new Set(['pods 5']) })).item.seen).toEqual(
      new Set(['pods 4', 'pods 5']),
    );
    expect(decideRelease(input({ item, causes: new Set(), end: after(5) })).item.seen).toEqual(new Set(['pods 4']));
  });

  test('has seen nothing if it fails', () => {
    const item = { failures: 0, seen: new Set(['pods 4']) };
    expect(decideRelease(input({ item, causes: new Set(['pods 5']), end: failed })).item).not.toHaveProperty('seen');
  });

  test('sends nothing for the wake-up of an earlier failure, which is under way', () => {
    const item = { failures: 12, syncedFromMs: T - 90 * MINUTE, failedFromMs: T - 3_000, wakeAtMs: T + 17_000 };
    const decision = decideRelease(input({ item, clockMarginMs: 2_000 }));
    expect(decision).toEqual({
      item: { failures: 0, syncedFromMs: T, wakeAtMs: T + 17_000 },
      message: { fate: 'acknowledge' },
    });
  });

  test('keeps an intent that it did not clear', () => {
    expect(decideRelease(input({ intent: INTENT })).item.intent).toEqual(INTENT);
  });

  test('gets a wake-up, counted from its end, if it asks for a later sync', () => {
    const decision = decideRelease(input({ end: after(5_000) }));
    expect(decision.item.wakeAtMs).toBe(T + 5_100);
    expect(decision.wakeInMs).toBe(5_000);
  });

  test.each([
    ['sends nothing for a wake-up later than the pending one', after(60_000), T + 30_000, T + 30_000, undefined],
    ['sends a wake-up earlier than the pending one', after(10_000), T + 30_000, T + 10_100, 10_000],
    ['keeps a pending wake-up if it asks for none', { status: 'done' } as const, T + 30_000, T + 30_000, undefined],
    ['ends the pending wake-up that led to it', { status: 'done' } as const, T, undefined, undefined],
    ['ends a pending wake-up that was missed', { status: 'done' } as const, T - 1, undefined, undefined],
    ['sends a new wake-up if the pending one is over', after(10_000), T - 1, T + 10_100, 10_000],
  ])('%s', (_, end, pendingMs, wakeAtMs, wakeInMs) => {
    const decision = decideRelease(input({ end, item: { failures: 0, syncedFromMs: T - 1_000, wakeAtMs: pendingMs } }));
    expect(decision.item.wakeAtMs).toBe(wakeAtMs);
    expect(decision.wakeInMs).toBe(wakeInMs);
  });
});

describe('a wake-up beyond the longest delay', () => {
  const wakeAtMs = T + 40 * MINUTE;

  test('is first sent to a stop, a whole number of longest delays before its time', () => {
    const decision = decideRelease(input({ end: after(40 * MINUTE), nowMs: T }));
    expect(decision.item.wakeAtMs).toBe(wakeAtMs);
    expect(decision.wakeInMs).toBe(10 * MINUTE);
  });

  test.each([
    ['is not sent between stops', 1, 9, undefined],
    ['is sent on at its first stop', 9, 10, 15],
    ['is not sent again after its first stop', 11, 12, undefined],
    ['is sent on for the rest of its delay if a stop was missed', 9, 12, 13],
    ['is sent for the last time at its last stop', 12, 25, 15],
  ])('%s', (_, lastMinute, minute, wakeInMinutes) => {
    const item = { failures: 0, syncedFromMs: T + lastMinute * MINUTE, wakeAtMs };
    const nowMs = T + minute * MINUTE;
    const { wakeInMs } = decideRelease(input({ item, beganAtMs: nowMs, nowMs }));
    expect(wakeInMs).toBe(wakeInMinutes === undefined ? undefined : wakeInMinutes * MINUTE);
  });

  test('is not lost by a worker whose clock is behind', () => {
    const item = { failures: 0, syncedFromMs: T, wakeAtMs: T + 5_000 };
    const nowMs = T + 4_000;
    expect(decideRelease(input({ item, beganAtMs: nowMs, nowMs, clockMarginMs: 2_000 })).wakeInMs).toBe(1_000);
  });

  test('arrives on time, with one message at a time, even if other syncs come between', () => {
    const events = array(integer({ min: 1, max: 120 * MINUTE }), { maxLength: 20 });
    assert(
      property(integer({ min: 1, max: 120 * MINUTE }), events, (delayMs, eventTimes) => {
        expect(wakesOf(delayMs, eventTimes)).toBe(T + delayMs);
      }),
    );
  });

  /** Plays the messages of one key until its wake-up has come; the time at which it did. */
  function wakesOf(delayMs: number, eventTimes: readonly number[]): number {
    const events = eventTimes.filter((timeMs) => timeMs < delayMs).map((timeMs) => T + timeMs);
    let decision = decideRelease(input({ end: after(delayMs), nowMs: T }));
    let messageMs = T + (decision.wakeInMs ?? Number.NaN);
    for (;;) {
      const nowMs = Math.min(messageMs, ...events);
      if (nowMs === messageMs) messageMs = Number.POSITIVE_INFINITY;
      else events.splice(events.indexOf(nowMs), 1);
      decision = decideRelease(input({ item: decision.item, beganAtMs: nowMs, nowMs }));
      if (decision.item.wakeAtMs === undefined) return nowMs;
      if (decision.wakeInMs === undefined) continue;
      expect(decision.wakeInMs).toBeLessThanOrEqual(MAX_QUEUE_DELAY_MS);
      messageMs = Math.min(messageMs, nowMs + decision.wakeInMs);
    }
  }
});

describe('a sync that fails', () => {
  test('is counted, and its message waits for the backoff of the earlier failures', () => {
    expect(decideRelease(input({ end: failed, item: { failures: 3, syncedFromMs: T - 9 }, intent: INTENT }))).toEqual({
      item: { failures: 4, syncedFromMs: T - 9, intent: INTENT },
      message: { fate: 'hide', delayMs: 40 },
    });
  });

  test('keeps a wake-up that is still due', () => {
    const item = { failures: 0, wakeAtMs: T + 1_000 };
    expect(decideRelease(input({ end: failed, item })).item).toEqual({ failures: 1, wakeAtMs: T + 1_000 });
  });

  test('that is tried again later leaves its messages to one wake-up, and notes when it began', () => {
    const item = { failures: 10, syncedFromMs: T - 9 };
    expect(decideRelease(input({ end: failed, item, intent: INTENT }))).toEqual({
      item: { failures: 11, syncedFromMs: T - 9, failedFromMs: T, wakeAtMs: T + 100 + 5_120, intent: INTENT },
      wakeInMs: 5_120,
      message: { fate: 'acknowledge' },
    });
  });

  test.each([
    ['sends none while an earlier one is under way', T + 4_000, T + 4_000, undefined],
    ['sends one that is earlier than the one under way', T + 60_000, T + 5_220, 5_120],
    ['sends the next one if it was the last', T, T + 5_220, 5_120],
    ['sends the next one if it may have been the last, by a clock that is behind', T + 2_000, T + 5_220, 5_120],
  ])('that is tried again later %s', (_, pendingMs, wakeAtMs, wakeInMs) => {
    const item = { failures: 10, failedFromMs: T - 5_000, wakeAtMs: pendingMs };
    const decision = decideRelease(input({ end: failed, item, clockMarginMs: 2_000 }));
    expect(decision.item).toMatchObject({ failures: 11, failedFromMs: T, wakeAtMs });
    expect(decision.wakeInMs).toBe(wakeInMs);
    expect(decision.message).toEqual({ fate: 'acknowledge' });
  });

  test('that is tried again later sends on a wake-up that has come to a stop', () => {
    const item = { failures: 30, syncedFromMs: T - 20 * MINUTE, wakeAtMs: T + 14 * MINUTE };
    const first = decideRelease(input({ end: failed, item, nowMs: T }));
    expect(first).toMatchObject({ item: { wakeAtMs: T + 14 * MINUTE }, wakeInMs: 14 * MINUTE });
    const nowMs = T + MINUTE;
    expect(decideRelease(input({ end: failed, item: first.item, beganAtMs: nowMs, nowMs }))).not.toHaveProperty(
      'wakeInMs',
    );
  });

  test.each([
    ['is retried after its 15th failure', 14, { fate: 'acknowledge' }, 81_920, 15],
    ['is given up after its 16th failure, which resets the count', 15, { fate: 'bury', failures: 16 }, undefined, 0],
  ])('%s if 15 retries are allowed', (_, failures, message, wakeInMs, kept) => {
    const decision = decideRelease(input({ end: failed, item: { failures, failedFromMs: T - 1 }, maxRetries: 15 }));
    expect(decision.message).toEqual(message);
    expect(decision.wakeInMs).toBe(wakeInMs);
    expect(decision.item.failures).toBe(kept);
  });

  test('is forgotten when its key is given up', () => {
    const item = { failures: 15, failedFromMs: T - 1, syncedFromMs: T - 2 };
    const given = decideRelease(input({ end: failed, item, maxRetries: 15 }));
    expect(given.item).toEqual({ failures: 0, syncedFromMs: T - 2 });
  });

  test('without a limit is retried for ever', () => {
    expect(decideRelease(input({ end: failed, item: { failures: 400 } }))).toEqual({
      item: { failures: 401, failedFromMs: T, wakeAtMs: T + MAX_QUEUE_DELAY_MS },
      wakeInMs: MAX_QUEUE_DELAY_MS - 100,
      message: { fate: 'acknowledge' },
    });
  });

  test.each<[string, Partial<ReleaseInput>]>([
    ['was received too often, before the queue makes it a dead letter', { receiveCount: 50 }],
    ['may be gone', { mayBeGone: true }],
  ])('gets a fresh message before it is released, if its own %s', (_, changes) => {
    const decision = decideRelease(input({ end: failed, item: { failures: 3 }, ...changes }));
    expect(decision).toEqual({
      item: { failures: 4 },
      wakeInMs: 40,
      message: { fate: 'acknowledge' },
    });
  });
});
