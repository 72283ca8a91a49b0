// Slow: worlds of the cloud's models, with their own stacks, and one with a hundred pods.
import { expect, test } from 'vitest';
import { measureLatencies, wrongOf } from './latencyBench.ts';

test('nobody waits longer than the limits say', { timeout: 300_000 }, async () => {
  const rows = await measureLatencies({ seeds: 4, largeSeeds: 1 });
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.flatMap(wrongOf)).toEqual([]);
});

test('a figure beyond its limit is named', () => {
  const row = { name: 'Ready', p50: 400, p95: 600, measured: { p50: 400, p95: 601 } };
  expect(wrongOf(row)).toEqual(['Ready: p95 601 ms, above 600']);
});
