/** What a figure may be at most, milliseconds. */
export interface LatencyLimit {
  readonly p50: number;
  readonly p95: number;
}

/** The rows of the table, with what each may be at most in 40 worlds. */
export const LATENCY_LIMITS: Readonly<Record<string, LatencyLimit>> = {
  Ready: { p50: 400, p95: 520 },
  available: { p50: 610, p95: 750 },
  rolled: { p50: 1_900, p95: 2_500 },
  '100 rolled': { p50: 2_800, p95: 3_500 },
  'scaled by half, available': { p50: 500, p95: 680 },
  'deleted, background': { p50: 480, p95: 700 },
  'deleted, foreground': { p50: 760, p95: 950 },
  'a change seen by a watcher': { p50: 120, p95: 260 },
  'first request after a pause, beyond a warm one': { p50: 60, p95: 200 },
  'Ready, with requests': { p50: 520, p95: 700 },
  'available, with requests': { p50: 720, p95: 920 },
  'rolled, with requests': { p50: 2_250, p95: 2_500 },
  '100 rolled, with requests': { p50: 2_800, p95: 3_500 },
};
