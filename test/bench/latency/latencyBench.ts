import { LATENCY_LIMITS, type LatencyLimit } from '../../../infra/promises.ts';
import type { PodShape } from '../benchPods.ts';
import { percentile } from '../percentile.ts';
import { rememberDecoded } from '../rememberDecoded.ts';
import { LatencyRun, type Samples } from './LatencyRun.ts';

export interface LatencyBenchOptions {
  /** How many worlds each row is measured in. */
  readonly seeds: number;
  /** The larger Deployment is rolled in so many worlds: in one it takes as long as ten of the others. */
  readonly largeSeeds: number;
}

/** How the rows of each shape of pods are named. */
const SUFFIXES: Readonly<Record<PodShape, string>> = {
  bare: '',
  requests: ', with requests',
  full: ', as users write them',
};
const SMALL = 3;
const LARGE = 100;

/** Measures how long a person waits, and prints it in milliseconds of the model's time. Resolves to a line for each figure beyond its limit. */
export async function latencyBench(options: LatencyBenchOptions): Promise<readonly string[]> {
  rememberDecoded();
  Error.stackTraceLimit = 0;
  const rows = await measureLatencies(options);
  console.log(`${options.seeds} seeds (${LARGE} replicas: ${options.largeSeeds}); ms from the acknowledged write on`);
  console.log(`${''.padEnd(WIDTH)}${['p50', 'p95', 'limits'].map((name) => name.padStart(COLUMN)).join('')}`);
  for (const row of rows) console.log(formatRow(row));
  return rows.flatMap(wrongOf);
}

/** A row of the table. */
export interface LatencyRow extends LatencyLimit {
  readonly name: string;
  readonly measured: { readonly p50: number; readonly p95: number };
}

/** Returns the rows that have a limit, each of which must have been measured. */
export async function measureLatencies({ seeds, largeSeeds }: LatencyBenchOptions): Promise<readonly LatencyRow[]> {
  const all = new Map<string, number[]>();
  const add = (samples: Samples, name: (row: string) => string) => {
    for (const [row, times] of samples) all.set(name(row), [...(all.get(name(row)) ?? []), ...times]);
  };
  for (const [shape, suffix] of Object.entries(SUFFIXES) as [PodShape, string][]) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const run = new LatencyRun({ seed, replicas: SMALL, shape });
      add(await run.life(), (row) => `${row}${suffix}`);
    }
    for (let seed = 1; seed <= largeSeeds; seed += 1) {
      const run = new LatencyRun({ seed, replicas: LARGE, shape });
      add(await run.rollout(), (row) => `${LARGE} ${row}${suffix}`);
    }
  }
  return Object.entries(LATENCY_LIMITS).map(([name, limit]) => {
    const times = all.get(name);
    if (!times) throw new Error(`nothing was measured of: ${name}`);
    return { name, ...limit, measured: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) } };
  });
}

const WIDTH = 50;
const COLUMN = 16;

function formatRow({ name, measured, p50, p95 }: LatencyRow): string {
  const figures = [measured.p50, measured.p95, `${p50} / ${p95}`].map((figure) => String(figure).padStart(COLUMN));
  return `${name.padEnd(WIDTH)}${figures.join('')}`;
}

/** What is beyond its limit. Pure. */
export function wrongOf({ name, measured, p50, p95 }: LatencyRow): readonly string[] {
  return [
    ...(measured.p50 > p50 ? [`${name}: p50 ${measured.p50} ms, above ${p50}`] : []),
    ...(measured.p95 > p95 ? [`${name}: p95 ${measured.p95} ms, above ${p95}`] : []),
  ];
}
