// Slow: worlds of the cloud's models, with their own stacks, and some with a hundred pods.
import { expect, test } from 'vitest';
import { measureLatencies, wrongOf } from './latencyBench.ts';

/** The limits are those of 40 worlds, and of ten with a hundred pods. The median of a few is off by up to so much, depending on what they draw. */
const FEW_WORLDS = 1.1;

test('in a few worlds nobody waits longer than a tenth above the limits', { timeout: 300_000 }, async () => {
  const rows = await measureLatencies({ seeds: 4, largeSeeds: 3 });
  expect(rows.length).toBeGreaterThan(10);
  const allowed = rows.map((row) => ({ ...row, p50: row.p50 * FEW_WORLDS, p95: row.p95 * FEW_WORLDS }));
  expect(allowed.flatMap(wrongOf)).toEqual([]);
});

test('a figure beyond its limit is named', () => {
  const row = { name: 'Ready', p50: 400, p95: 600, measured: { p50: 400, p95: 601 } };
  expect(wrongOf(row)).toEqual(['Ready: p95 601 ms, above 600']);
});
