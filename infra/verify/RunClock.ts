import { setTimeout } from 'node:timers/promises';

/** The time of a run. */
export interface RunClock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number;
  /** Rejects with the signal's reason if the run is interrupted meanwhile. */
  sleep(ms: number): Promise<void>;
  /** Aborts when the user interrupts the run. */
  readonly signal: AbortSignal;
  /** The same time for who cleans up, which only a second interruption ends. */
  beyondInterruption(): RunClock;
}

/** The clock of this machine. `interrupted`: the user wants the run to end. `abandoned`: also without cleaning up. */
export function openClock(interrupted: AbortSignal, abandoned: AbortSignal): RunClock {
  return {
    now: () => Math.round(performance.timeOrigin + performance.now()),
    async sleep(ms) {
      try {
        await setTimeout(ms, undefined, { signal: interrupted });
      } catch (error) {
        throw interrupted.aborted ? interrupted.reason : error;
      }
    },
    signal: interrupted,
    beyondInterruption: () => openClock(abandoned, abandoned),
  };
}

interface Patience {
  readonly everyMs: number;
  readonly patienceMs: number;
}

/** Asks again and again until there is an answer. Resolves to undefined if there is none after `patienceMs`. */
export async function poll<T>(
  clock: RunClock,
  { everyMs, patienceMs }: Patience,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const untilMs = clock.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || clock.now() >= untilMs) return answer;
    await clock.sleep(everyMs);
  }
}
