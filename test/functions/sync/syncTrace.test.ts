import { describe, expect, test } from 'vitest';
import {
  chooseSyncTrace,
  isNewChange,
  momentsOf,
  spansOf,
  waitsOf,
  wakeUpTraces,
} from '../../../lambdas/functions/sync/SyncTrace.ts';
import type { KeyTrace } from '../../../lambdas/ports/TraceContext.ts';
import type { ReceivedMessage } from '../../../lambdas/ports/WorkQueue.ts';
import { WEB } from '../../support/openSyncBench.ts';

const T = Date.UTC(2026, 0, 1);
const IDS = { uid: () => 'abababab-abab-4bab-abab-abababababab' };

function trace(id: string, writtenAtMs: number, more: Partial<KeyTrace> = {}): KeyTrace {
  const [traceId, spanId] = [id.repeat(32), id.repeat(16)];
  return { traceId, spanId, sinceMs: T, writtenAtMs, seenAtMs: writtenAtMs, via: 'stream', ...more };
}

function message(dueAtMs: number, ...traces: readonly KeyTrace[]): ReceivedMessage {
  const received = { key: WEB, receipt: `${dueAtMs}`, dueAtMs, receivedAtMs: dueAtMs + 1, receiveCount: 1 };
  return traces.length > 0 ? { ...received, traces } : received;
}

describe('a sync belongs', () => {
  test.each([
    ['to no trace, if no message names one', [message(1), message(2)], undefined, []],
    ['to the trace of its only message', [message(1, trace('a', T))], 'a', []],
    [
      'to that of the write that came first, and names the others',
      [message(1, trace('b', T + 5)), message(2, trace('a', T)), message(3, trace('c', T + 9))],
      'a',
      ['b', 'c'],
    ],
    ['to a trace once, whoever names it', [message(1, trace('a', T)), message(2, trace('a', T + 1))], 'a', []],
    [
      'to that of a write, and not to that of an earlier wake-up',
      [message(1, trace('a', T, { via: 'wakeUp' }), trace('b', T + 5))],
      'b',
      ['a'],
    ],
    [
      'to none that began more than ten minutes ago',
      [message(1, trace('a', T, { sinceMs: T - 600_001 }))],
      undefined,
      [],
    ],
  ] as const)('%s', (_, messages, expected, links) => {
    const chosen = chooseSyncTrace(messages, T, IDS);
    expect(chosen?.context.traceId.charAt(0)).toBe(expected);
    expect(chosen?.links.map(({ traceId }) => traceId.charAt(0)) ?? []).toEqual(links);
  });

  test('with the times of the message that named its cause', () => {
    const messages = [message(T + 900, trace('b', T + 5)), message(T + 300, trace('a', T))];
    expect(chooseSyncTrace(messages, T, IDS)).toMatchObject({
      context: { traceId: 'a'.repeat(32), spanId: 'abababababab4bab', sinceMs: T },
      message: { dueAtMs: T + 300, receivedAtMs: T + 301 },
    });
  });
});

describe('a change has waited', () => {
  const from = (cause: KeyTrace, dueAtMs: number, receivedAtMs: number) => ({
    cause,
    message: { dueAtMs, receivedAtMs },
  });

  test.each([
    [
      'for each that took part, if all clocks agree',
      from(trace('a', T, { seenAtMs: T + 2_100 }), T + 2_110, T + 2_410),
      { beganAtMs: T + 2_425, endedAtMs: T + 2_475 },
      { noticeMs: 2_100, heldMs: 10, queueMs: 300, lockMs: 15, syncMs: 50 },
    ],
    [
      'for nothing below zero, if the queue is behind: the next wait is shorter',
      from(trace('a', T, { seenAtMs: T + 200 }), T + 150, T + 170),
      { beganAtMs: T + 230, endedAtMs: T + 240 },
      { noticeMs: 200, heldMs: 0, queueMs: 0, lockMs: 30, syncMs: 10 },
    ],
    [
      'for nothing, if the worker is behind all others: its sync takes as long as it took',
      from(trace('a', T, { seenAtMs: T + 10 }), T + 20, T + 30),
      { beganAtMs: T - 500, endedAtMs: T - 460 },
      { noticeMs: 10, heldMs: 10, queueMs: 10, lockMs: 0, syncMs: 40 },
    ],
  ])('%s', (_, named, sync, waits) => {
    const moments = momentsOf(named, sync, 0);
    expect(waitsOf(named, moments)).toEqual({
      traceId: named.cause.traceId,
      writtenAtMs: T,
      via: 'stream',
      ...waits,
    });
  });

  test("by the time of day, where the queue's clock is another one", () => {
    const named = from(trace('a', T, { seenAtMs: T + 1 }), 1_000 + 3, 1_000 + 8);
    const moments = momentsOf(named, { beganAtMs: T + 9, endedAtMs: T + 10 }, 1_000 - T);
    expect(waitsOf(named, moments)).toMatchObject({ noticeMs: 1, heldMs: 2, queueMs: 5, lockMs: 1, syncMs: 1 });
  });

  test('for nothing that could be told of a wake-up, which is no change', () => {
    const named = from(trace('a', T, { via: 'wakeUp' }), T + 5, T + 6);
    expect(waitsOf(named, momentsOf(named, { beganAtMs: T + 6, endedAtMs: T + 7 }, 0))).toBeUndefined();
  });
});

describe('a sync is', () => {
  const seen = new Set(['pods 3']);
  const waited = {
    traceId: 'b'.repeat(32),
    writtenAtMs: T,
    via: 'stream',
    noticeMs: 0,
    heldMs: 0,
    queueMs: 0,
    lockMs: 0,
    syncMs: 0,
  } as const;
  test.each([
    ['the first for a change, if its key remembers none', { writtenAtMs: T, cause: 'pods 4' }, {}, true],
    ['the first for a change after the last', { writtenAtMs: T + 1, cause: 'pods 4' }, { seen, waited }, true],
    ['a repetition, if the key has seen the change', { writtenAtMs: T + 1, cause: 'pods 3' }, { seen, waited }, false],
    ['a repetition of the last, if nothing names it', { writtenAtMs: T }, { waited }, false],
    [
      'for an older change, of which nothing new is told',
      { writtenAtMs: T - 1, cause: 'pods 4' },
      { seen, waited },
      false,
    ],
  ])('%s', (_, more, item, isNew) => {
    expect(isNewChange(trace('a', T, more), item)).toBe(isNew);
  });
});

describe('the spans of a sync', () => {
  const at = (cause: KeyTrace) => {
    const context = { traceId: cause.traceId, spanId: 'f'.repeat(16), sinceMs: T };
    const chosen = { context, cause, message: { dueAtMs: T + 30, receivedAtMs: T + 30 }, links: [trace('b', T + 3)] };
    const moments = momentsOf(chosen, { beganAtMs: T + 40, endedAtMs: T + 60 }, 0);
    return spansOf(chosen, moments, { name: 'sync deployment', attributes: { key: 'k' } }, IDS);
  };
  const told = (cause: KeyTrace) => at(cause).map(({ part, startMs, endMs }) => [part, startMs - T, endMs - T]);

  test('are what its cause has waited for, and the sync itself, which names other traces', () => {
    const cause = trace('a', T, { seenAtMs: T + 20 });
    expect(told(cause)).toEqual([
      ['stream', 0, 20],
      ['pacer', 20, 30],
      ['lock', 30, 40],
      ['sync', 40, 60],
    ]);
    expect(at(cause).map(({ parentSpanId }) => parentSpanId)).toEqual(Array(4).fill(cause.spanId));
    expect(at(cause).at(-1)).toMatchObject({ spanId: 'f'.repeat(16), links: [trace('b', T + 3)] });
  });

  test('do not tell that a wake-up waits for its time', () => {
    expect(told(trace('a', T, { via: 'wakeUp' }))).toEqual([
      ['lock', 30, 40],
      ['sync', 40, 60],
    ]);
  });
});

test.each([
  ['of the same trace', 1_000, ['wakeUp']],
  ['of none, when that is over by then', 600_001, []],
])('a wake-up is %s', (_, delayMs, vias) => {
  const context = { traceId: 'a'.repeat(32), spanId: 'f'.repeat(16), sinceMs: T };
  const chosen = { context, cause: trace('a', T), message: { dueAtMs: T, receivedAtMs: T }, links: [] };
  expect(wakeUpTraces(chosen, T, delayMs).map(({ via }) => via)).toEqual(vias);
  expect(wakeUpTraces(undefined, T, delayMs)).toEqual([]);
});
