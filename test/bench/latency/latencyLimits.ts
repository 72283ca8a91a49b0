/** What a figure may be at most, milliseconds. */
export interface LatencyLimit {
  readonly p50: number;
  readonly p95: number;
}

/** The rows of the table, with what each may be at most in 40 worlds. */
export const LATENCY_LIMITS: Readonly<Record<string, LatencyLimit>> = {
  Ready: { p50: 1_250, p95: 1_500 },
  available: { p50: 1_600, p95: 1_900 },
  rolled: { p50: 5_700, p95: 6_700 },
  '100 rolled': { p50: 4_900, p95: 5_600 },
  'scaled by half, available': { p50: 1_550, p95: 1_900 },
  'deleted, background': { p50: 1_250, p95: 1_650 },
  'deleted, foreground': { p50: 1_850, p95: 2_250 },
  'a change seen by a watcher': { p50: 350, p95: 600 },
  'first request after a pause, beyond a warm one': { p50: 1_000, p95: 1_450 },
  'Ready, with requests': { p50: 1_500, p95: 1_700 },
  'available, with requests': { p50: 1_850, p95: 2_150 },
  'rolled, with requests': { p50: 6_750, p95: 7_500 },
  '100 rolled, with requests': { p50: 5_200, p95: 6_400 },
};
