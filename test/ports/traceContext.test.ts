import { expect, test } from 'vitest';
import {
  decodeKeyTraces,
  decodeWriteTrace,
  encodeKeyTraces,
  encodeWriteTrace,
  isTraced,
  joinTraces,
  type KeyTrace,
  newSpanId,
  newTraceId,
} from '../../lambdas/ports/TraceContext.ts';

const T = Date.UTC(2026, 0, 1);
const IDS = { uid: () => '0123abcd-4567-4890-8bcd-0123456789ab' };

function trace(id: string, writtenAtMs: number, via: KeyTrace['via'] = 'stream'): KeyTrace {
  const [traceId, spanId] = [id.repeat(32), id.repeat(16)];
  return { traceId, spanId, sinceMs: T, writtenAtMs, seenAtMs: writtenAtMs + 7, via };
}

test('the traces of a write and of a key come through as text', () => {
  const { traceId, spanId } = trace('a', T);
  const write = { traceId, spanId, sinceMs: T, writtenAtMs: T + 12 };
  expect(decodeWriteTrace(encodeWriteTrace(write))).toEqual(write);
  const named = { ...trace('a', T), cause: 'gateways.networking.x-k8s.io 12' };
  const traces = [named, trace('b', T + 1, 'writer'), trace('c', T + 2, 'wakeUp')];
  expect(decodeKeyTraces(encodeKeyTraces(traces))).toEqual(traces);
  expect(encodeKeyTraces([])).toBeUndefined();
});

const GOOD = encodeKeyTraces([trace('a', T)]) ?? '';

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['no trace', 'x'],
  ['a trace id that is too short', GOOD.slice(1)],
  ['a trace id with other characters', `g${GOOD.slice(1)}`],
  ['a time with other characters', GOOD.replace(/-[0-9a-z]+-stream$/, '-!-stream')],
  ['a time that is too long', GOOD.replace(/-[0-9a-z]+-stream$/, '-12345678901-stream')],
  ['a sender that a later release may know', GOOD.replace('stream', 'pigeon')],
  ['the trace of a write, which no key has', GOOD.replace(/-[0-9a-z]+-stream$/, '')],
])('the traces of a key are none in %s', (_, text) => {
  expect(decodeKeyTraces(text)).toEqual([]);
});

test('what one release cannot read of a list does not take the rest', () => {
  expect(decodeKeyTraces(`x,${GOOD}`)).toEqual([trace('a', T)]);
});

test.each([
  ['the write that came first of each trace', [trace('a', 5)], [trace('a', 3), trace('b', 4)], ['a3', 'b4']],
  ['the oldest three', [trace('a', 5), trace('b', 4)], [trace('c', 3), trace('d', 2)], ['d2', 'c3', 'b4']],
  ['a write and not a wake-up of the same trace', [trace('a', 1, 'wakeUp')], [trace('a', 9)], ['a9']],
  ['those of one side, if the other has none', [trace('a', 5)], undefined, ['a5']],
  ['nothing, if neither has any', undefined, undefined, []],
] as const)('joined traces are %s', (_, some, others, expected) => {
  const joined = joinTraces(some, others).map(({ traceId, writtenAtMs }) => `${traceId.charAt(0)}${writtenAtMs}`);
  expect(joined).toEqual(expected);
});

test.each([
  [0, true],
  [600_000, true],
  [600_001, false],
  // A clock that is behind the one of the request.
  [-2_000, true],
])('%d ms after its begin a trace goes on: %s', (passedMs, goesOn) => {
  expect(isTraced(trace('a', T), T + passedMs)).toBe(goesOn);
});

test("new ids have W3C's form, and a trace begins with its time as X-Ray's do", () => {
  expect(newTraceId(IDS, T)).toBe(`${(T / 1000).toString(16)}456748908bcd0123456789ab`);
  expect(newSpanId(IDS)).toBe('0123abcd45674890');
});
