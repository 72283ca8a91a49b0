import type { LatencyLimit } from '../promises.ts';
import { differs, ok, type Verdict } from './Step.ts';

/** Returns the value below which this part of the values is; NaN if there are none. Pure. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** What one row of the report says of times that were measured. */
export interface Measured {
  /** `a change seen by a watcher`. */
  readonly name: string;
  readonly ms: readonly number[];
  /** What the models promise. */
  readonly limit: LatencyLimit;
}

/** With fewer values, the slowest one is no measure of what one in twenty takes. */
const ENOUGH_FOR_P95 = 20;

/** Compares times with what the models promise. Those of a server on this machine are only told. Pure. */
export function judgeTimes(measured: readonly Measured[], isLocal: boolean): Verdict {
  const found = measured.map(describe).join('; ');
  if (isLocal) return ok(`${found}. Not compared: the server is on this machine.`);
  const beyond = measured.filter(({ ms, limit }) => isBeyond(ms, limit)).map(({ name }) => name);
  if (beyond.length === 0) return ok(`${found}.`);
  return differs(`${found}. Slower than in the models: ${beyond.join(', ')}.`);
}

function describe({ name, ms, limit }: Measured): string {
  const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)].map(Math.round);
  return ms.length < ENOUGH_FOR_P95
    ? `${name}: half within ${p50} ms (promised: ${limit.p50}), all ${ms.length} within ${Math.round(Math.max(...ms))} ms`
    : `${name}: half within ${p50} ms (promised: ${limit.p50}), 95 % within ${p95} ms (${limit.p95})`;
}

function isBeyond(ms: readonly number[], { p50, p95 }: LatencyLimit): boolean {
  return quantile(ms, 0.5) > p50 || (ms.length >= ENOUGH_FOR_P95 && quantile(ms, 0.95) > p95);
}
