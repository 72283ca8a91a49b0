import { expect, test } from 'vitest';
import { decodeIntent, encodeIntent, type Intent } from '../../lambdas/ports/KeyLocks.ts';

const COMMON = { id: 'i1', ownerUid: 'u1', atMs: 1_000, count: 2, deletes: [{ name: 'web-x', uid: 'p1' }] };
const backoff = { failures: 2, lastFailureMs: 900 };
const INTENT: Intent = { ...COMMON, memory: { indexes: [0, 3], backoff } };

test('an intent is stored as the release before this one reads it: with its memory beside the other fields', () => {
  expect(encodeIntent(INTENT)).toEqual({ ...COMMON, indexes: [0, 3], backoff });
});

test.each([
  ['of this release, and of the one before', encodeIntent(INTENT), INTENT],
  ['of the next release, whose memory is one field', INTENT, INTENT],
  ['without memory', COMMON, COMMON],
  ['of a release that noted no time', { ...COMMON, atMs: undefined }, { ...COMMON, atMs: undefined }],
])('a stored intent is read %s', (_, stored, intent) => {
  expect(decodeIntent(JSON.parse(JSON.stringify(stored)))).toEqual(JSON.parse(JSON.stringify(intent)));
});
