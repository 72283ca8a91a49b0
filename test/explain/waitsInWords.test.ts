import { expect, test } from 'vitest';
import { type LastChange, waitsInWords } from '../../lambdas/explain/waitsInWords.ts';
import type { ChangeWaits } from '../../lambdas/ports/ChangeWaits.ts';

const NOTHING: ChangeWaits = {
  traceId: 'a'.repeat(32),
  writtenAtMs: Date.UTC(2026, 0, 1),
  via: 'stream',
  noticeMs: 0,
  heldMs: 0,
  queueMs: 0,
  lockMs: 0,
  syncMs: 50,
};
const WRITTEN = 'the sync for the last traced change, written at 2026-01-01T00:00:00Z,';

function said(waits: Partial<ChangeWaits>, clocksDifferMs = 0): string {
  const last: LastChange = { waits: { ...NOTHING, ...waits }, clocksDifferMs };
  return waitsInWords(last);
}

test.each<[string, Partial<ChangeWaits>, number, string]>([
  [
    'what took time, in its order',
    { noticeMs: 2_100, queueMs: 300 },
    0,
    `${WRITTEN} waited 2.1 s for the stream and 0.3 s in the queue, and took 0.05 s`,
  ],
  [
    'all of it',
    { via: 'writer', noticeMs: 1, heldMs: 1_000, queueMs: 20, lockMs: 45_000, syncMs: 3 },
    0,
    `${WRITTEN} waited 0.001 s until its writer looked at it, 1 s until its key was sent and due, 0.02 s in the queue and 45 s for the lock of its key and for other tries, and took 0.003 s`,
  ],
  ['that there was nothing', { noticeMs: 0.4 }, 0, `${WRITTEN} waited for nothing, and took 0.05 s`],
  [
    'how far the clocks may differ that say so',
    { noticeMs: 200 },
    2_000,
    `${WRITTEN} waited 0.2 s for the stream, and took 0.05 s (by the clocks of several machines, which may differ by up to 2 s)`,
  ],
])('the waits in words: %s', (_, waits, clocksDifferMs, words) => {
  expect(said(waits, clocksDifferMs)).toBe(words);
});
