/** Loaded into the server that a bench measures. After each SIGUSR2 it writes what it has seen since the one before to the file that `BENCH_LOOP_FILE` names. */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const MILLISECOND = 1e6;
const RESOLUTION_MS = 5;
const file = process.env['BENCH_LOOP_FILE'] ?? '';
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  // The timer itself takes its resolution.
  const delayMs = (nanoseconds) => Math.max(0, nanoseconds / MILLISECOND - RESOLUTION_MS);
  const seen = {
    p99DelayMs: delayMs(delays.percentile(99)),
    longestDelayMs: delayMs(delays.max),
    heapBytes: process.memoryUsage().heapUsed,
  };
  // The bench waits for the file, so it comes whole.
  writeFileSync(`${file}.new`, JSON.stringify(seen));
  renameSync(`${file}.new`, file);
  delays.reset();
});
