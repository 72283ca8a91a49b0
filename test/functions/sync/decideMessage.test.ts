import { expect, test } from 'vitest';
import { decideMessage } from '../../../lambdas/functions/sync/decideMessage.ts';

const T = 1_000_000;
const synced = (syncedFromMs: number) => ({ status: 'acquired', item: { failures: 0, syncedFromMs } }) as const;

test.each([
  [
    'a held lock: wait until it ends',
    T,
    { status: 'held', untilMs: T + 700 } as const,
    0,
    { action: 'wait', hideMs: 700 },
  ],
  [
    'a lock that has ended meanwhile: come again at once',
    T,
    { status: 'held', untilMs: T - 5 } as const,
    0,
    { action: 'wait', hideMs: 0 },
  ],
  ['a key never synced', T, { status: 'acquired', item: { failures: 0 } } as const, 0, { action: 'sync' }],
  ['due before the last good sync began', T - 11, synced(T - 10), 0, { action: 'satisfied' }],
  ['due as the last good sync began', T - 10, synced(T - 10), 0, { action: 'sync' }],
  ['due after the last good sync began', T - 9, synced(T - 10), 0, { action: 'sync' }],
  ['due before it, but within what clocks may differ', T - 2_010, synced(T - 10), 2_000, { action: 'sync' }],
  ['due long enough before it', T - 2_011, synced(T - 10), 2_000, { action: 'satisfied' }],
])('%s', (_, dueAtMs, acquired, clockMarginMs, expected) => {
  expect(decideMessage({ dueAtMs }, acquired, T, clockMarginMs)).toMatchObject(expected);
});
