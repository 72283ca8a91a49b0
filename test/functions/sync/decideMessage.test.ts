import { expect, test } from 'vitest';
import { decideMessage } from '../../../lambdas/functions/sync/decideMessage.ts';

const T = 1_000_000;
const synced = (syncedFromMs: number) => ({ status: 'acquired', item: { failures: 0, syncedFromMs } }) as const;

test.each([
  [
    'waits until the end of a held lock',
    T,
    { status: 'held', untilMs: T + 700 } as const,
    0,
    { action: 'wait', hideMs: 700 },
  ],
  [
    'comes again at once if the lock has ended meanwhile',
    T,
    { status: 'held', untilMs: T - 5 } as const,
    0,
    { action: 'wait', hideMs: 0 },
  ],
  [
    'syncs a key that was never synced',
    T,
    { status: 'acquired', item: { failures: 0 } } as const,
    0,
    { action: 'sync' },
  ],
  ['is satisfied if it was due before the last good sync began', T - 11, synced(T - 10), 0, { action: 'satisfied' }],
  ['leads to a sync if it was due when the last good sync began', T - 10, synced(T - 10), 0, { action: 'sync' }],
  ['leads to a sync if it was due after the last good sync began', T - 9, synced(T - 10), 0, { action: 'sync' }],
  [
    'leads to a sync if the last sync failed, though an earlier one satisfied it',
    T - 11,
    { status: 'acquired', item: { failures: 1, syncedFromMs: T - 10 } } as const,
    0,
    { action: 'sync' },
  ],
  ['leads to a sync if the last good sync began in the future', T - 11, synced(T + 1), 0, { action: 'sync' }],
  [
    'leads to a sync if it was due earlier by less than the clocks may differ',
    T - 2_010,
    synced(T - 10),
    2_000,
    { action: 'sync' },
  ],
  [
    'is satisfied if it was due earlier by more than the clocks may differ',
    T - 2_011,
    synced(T - 10),
    2_000,
    { action: 'satisfied' },
  ],
])('a message %s', (_, dueAtMs, acquired, clockMarginMs, expected) => {
  expect(decideMessage({ dueAtMs }, acquired, T, clockMarginMs)).toMatchObject(expected);
});

const failing = (item: object) =>
  ({ status: 'acquired', item: { failures: 12, syncedFromMs: T - 1, ...item } }) as const;

test.each([
  ['is satisfied if the wake-up tries the key again', { failedFromMs: T - 10, wakeAtMs: T + 9_000 }, 'satisfied'],
  ['is satisfied if the wake-up is late', { failedFromMs: T - 10, wakeAtMs: T - 5 }, 'satisfied'],
  ['leads to a sync if it may be what tries the key again', { wakeAtMs: T + 9_000 }, 'sync'],
  ['leads to a sync if nothing else tries the key again', { failedFromMs: T - 10 }, 'sync'],
  ['leads to a sync if it was due later', { failedFromMs: T - 11, wakeAtMs: T + 9_000 }, 'sync'],
  ['leads to a sync if the last sync began in the future', { failedFromMs: T + 1, wakeAtMs: T + 9_000 }, 'sync'],
])('a message that was due before the last sync began, which failed, %s', (_, item, action) => {
  expect(decideMessage({ dueAtMs: T - 11 }, failing(item), T, 0)).toMatchObject({ action });
});

const seeing = (item: object) =>
  ({ status: 'acquired', item: { failures: 0, syncedFromMs: T - 10, ...item } }) as const;

test.each([
  [
    'is satisfied if a good sync has read all changes for which it was sent',
    ['pods 4'],
    seeing({ seen: new Set(['pods 4']) }),
    'satisfied',
  ],
  [
    'leads to a sync if a good sync has read some of them only',
    ['pods 4', 'pods 5'],
    seeing({ seen: new Set(['pods 4']) }),
    'sync',
  ],
  ['leads to a sync if the last sync failed', ['pods 4'], seeing({ seen: new Set(['pods 4']), failures: 1 }), 'sync'],
  ['leads to a sync if nothing was seen', ['pods 4'], seeing({}), 'sync'],
] as const)('a message that was due after the last good sync began %s', (_, causes, acquired, action) => {
  expect(decideMessage({ dueAtMs: T, causes: new Set(causes) }, acquired, T, 2_000)).toMatchObject({ action });
});
