import type { Clock } from '../../ports/Clock.ts';

/** The longest delay of setTimeout. With a longer one it would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's clock. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  steadyMs(): number {
    return Math.floor(performance.timeOrigin + performance.now());
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number) => {
      const stepMs = Math.min(leftMs, LONGEST_TIMEOUT_MS);
      timer = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : wake()), stepMs);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  }
}
