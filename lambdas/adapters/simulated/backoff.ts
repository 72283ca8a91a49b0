const INITIAL_MS = 10_000;
const MAX_MS = 300_000;
/** A container that ran longer than this starts again with no backoff. */
const RESET_AFTER_MS = 600_000;
/** How long the status shows a failed attempt before it shows the backoff. */
const ATTEMPT_SHOWS_MS = 2_000;

/**
 * Returns how long a kubelet waits before it starts a container again: 0 after its first end, then 10 s, doubled each time up to 300 s. It is 0 again after a
 * run of more than ten minutes. Pure.
 */
export function restartDelayMs(restartCount: number, ranMs: number): number {
  if (restartCount === 0 || ranMs > RESET_AFTER_MS) return 0;
  return Math.min(INITIAL_MS * 2 ** (restartCount - 1), MAX_MS);
}

export interface PullPhase {
  readonly phase: 'failing' | 'backingOff';
  /** The end of the phase, in milliseconds after the first attempt. */
  readonly untilMs: number;
}

/** Returns the phase of the attempts to pull an image, `sinceMs` after the first one. The delay between attempts is 10 s, doubled each time up to 300 s. Pure. */
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

/** How long one attempt waits for the next: `firstMs`, doubled each time, at most `longestMs`. */
export interface Retries {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** How a kubelet tries to mount a volume again (`exponentialbackoff`): after half a second at first, then every two minutes. */
export const MOUNT_RETRIES: Retries = { firstMs: 500, longestMs: 122_000 };

/** How a container that lacks its configuration is tried again. A kubelet tries every ten seconds for ever; here the change of what is missing wakes the pod, so the attempts only repeat the events. */
export const CONFIG_RETRIES: Retries = { firstMs: 10_000, longestMs: 300_000 };

/** Returns when the next attempt begins, in milliseconds after the first one, if `sinceMs` have passed since. Pure. */
export function nextAttemptMs(sinceMs: number, { firstMs, longestMs }: Retries): number {
  let attemptMs = 0;
  let delayMs = firstMs;
  while (attemptMs <= sinceMs && delayMs < longestMs) {
    attemptMs += delayMs;
    delayMs = Math.min(2 * delayMs, longestMs);
  }
  if (attemptMs > sinceMs) return attemptMs;
  return attemptMs + (Math.floor((sinceMs - attemptMs) / longestMs) + 1) * longestMs;
}
