import { expect, test } from 'vitest';
import { type ChangeWaits, decodeWaits, encodeWaits } from '../../lambdas/ports/ChangeWaits.ts';

const WAITS: ChangeWaits = {
  traceId: 'a'.repeat(32),
  writtenAtMs: Date.UTC(2026, 0, 1),
  via: 'stream',
  noticeMs: 2_100,
  heldMs: 0,
  queueMs: 300,
  lockMs: 12,
  syncMs: 50,
};

test('what a change has waited for comes through as text', () => {
  expect(decodeWaits(encodeWaits(WAITS))).toEqual(WAITS);
  expect(decodeWaits(encodeWaits({ ...WAITS, via: 'writer' }))).toEqual({ ...WAITS, via: 'writer' });
});

const TEXT = encodeWaits(WAITS);

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['a time less', TEXT.slice(0, TEXT.lastIndexOf(' '))],
  ['a time more', `${TEXT} 1`],
  ['a time that is none', TEXT.replace('2100', '-1')],
  ['a sender that a later release may know', TEXT.replace('stream', 'pigeon')],
])('%s says nothing', (_, text) => {
  expect(decodeWaits(text)).toBeUndefined();
});
