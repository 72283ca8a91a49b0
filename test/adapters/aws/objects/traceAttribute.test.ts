import { expect, test } from 'vitest';
import { traceOf, withTrace } from '../../../../lambdas/adapters/aws/objects/traceAttribute.ts';

const TRACE = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sinceMs: 1_000, writtenAtMs: 1_007 };
const WRITE = { set: { version: { N: '7' } }, remove: ['bulk', 'trace'], condition: 'c', values: {} };

test('the trace of a write is in its item', () => {
  const { set, remove } = withTrace(WRITE, 7, TRACE);
  expect(remove).toEqual(['bulk']);
  expect(traceOf(set as Parameters<typeof traceOf>[0])).toEqual(TRACE);
});

test('a write in no trace removes that of the write before', () => {
  expect(withTrace(WRITE, 7, undefined)).toBe(WRITE);
});

test.each([
  ['of an earlier write, which the release before has left there', { version: { N: '8' } }],
  ['of no version', { trace: { S: 'x' } }],
  ['that a later release wrote otherwise', { trace: { S: '7 something else' } }],
  ['that is none', { trace: { N: '7' } }],
])('a trace %s says nothing of the last write', (_, other) => {
  const { set } = withTrace(WRITE, 7, TRACE);
  expect(traceOf({ ...set, ...other })).toBeUndefined();
});
