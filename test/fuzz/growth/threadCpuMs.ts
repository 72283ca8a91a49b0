import { existsSync, readFileSync } from 'node:fs';

const SCHEDSTAT = '/proc/thread-self/schedstat';
const hasSchedstat = existsSync(SCHEDSTAT);
const cell = new Int32Array(new SharedArrayBuffer(4));

/**
 * The CPU time of this thread so far, in milliseconds: what it waited for a processor does not count, nor what the garbage collector and the compiler do on
 * threads of their own. Where the system does not tell it (outside of Linux), the CPU time of the whole process.
 */
export function threadCpuMs(): number {
  if (!hasSchedstat) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // The kernel brings the figure up to date when the thread gives up its processor.
  Atomics.wait(cell, 0, 0, 0.1);
  return Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) / 1_000_000;
}
