const INITIAL_MS = 10_000;
const MAX_MS = 300_000;
/** A container that ran so long begins again with no backoff. */
const RESET_AFTER_MS = 600_000;
/** For so long the failed attempt itself shows, before the backoff does. */
const ATTEMPT_SHOWS_MS = 2_000;

/**
 * How long a kubelet waits before it starts a container again: not at all after its first end, then 10 s, doubling up to 300 s; not at all, again, once it ran for more than ten
 * minutes. Pure.
 */
export function restartDelayMs(restartCount: number, ranMs: number): number {
  if (restartCount === 0 || ranMs > RESET_AFTER_MS) return 0;
  return Math.min(INITIAL_MS * 2 ** (restartCount - 1), MAX_MS);
}

export interface PullPhase {
  readonly phase: 'failing' | 'backingOff';
  /** Milliseconds after the first attempt. */
  readonly untilMs: number;
}

/** Where the attempts to pull an image stand, so long after the first: they are 10 s apart, then twice as long each time, up to 300 s. Pure. */
export function pullPhaseAt(sinceMs: number): PullPhase {
  let attemptMs = 0;
  let delayMs = INITIAL_MS;
  while (sinceMs >= attemptMs + delayMs && delayMs < MAX_MS) {
    attemptMs += delayMs;
    delayMs = Math.min(2 * delayMs, MAX_MS);
  }
  if (delayMs === MAX_MS) attemptMs += Math.floor((sinceMs - attemptMs) / MAX_MS) * MAX_MS;
  const shownUntilMs = attemptMs + ATTEMPT_SHOWS_MS;
  if (sinceMs < shownUntilMs) return { phase: 'failing', untilMs: shownUntilMs };
  return { phase: 'backingOff', untilMs: attemptMs + delayMs };
}
