/** What a figure may be at most, milliseconds. */
export interface LatencyLimit {
  readonly p50: number;
  readonly p95: number;
}

/** The rows of the table, with what each may be at most in 40 worlds. */
export const LATENCY_LIMITS: Readonly<Record<string, LatencyLimit>> = {
  Ready: { p50: 1_200, p95: 1_600 },
  available: { p50: 3_000, p95: 3_600 },
  rolled: { p50: 12_000, p95: 13_000 },
  '100 rolled': { p50: 9_000, p95: 10_500 },
  'scaled by half, available': { p50: 3_000, p95: 3_500 },
  'deleted, background': { p50: 1_300, p95: 1_700 },
  'deleted, foreground': { p50: 1_800, p95: 2_200 },
  'a change seen by a watcher': { p50: 550, p95: 1_200 },
  'first request after a pause, beyond a warm one': { p50: 1_000, p95: 1_500 },
  'Ready, with requests': { p50: 1_400, p95: 1_800 },
  'available, with requests': { p50: 3_000, p95: 3_600 },
  'rolled, with requests': { p50: 12_000, p95: 13_000 },
  '100 rolled, with requests': { p50: 9_000, p95: 10_500 },
};
