/** Time. Only adapters read the machine's clock and set its timers, so that a test can replay a run and move time by hand. */
export interface Clock {
  /** The time of day, in milliseconds since the epoch: what is written into objects. It may step, forward and back, when somebody sets the machine's clock. */
  now(): number;
  /** Milliseconds by a clock that nobody can set, for durations within one process. It began as the time of day when the process did. */
  steadyMs(): number;
  /** Calls `wake` once, `delayMs` from now. The returned function cancels that. */
  setTimer(delayMs: number, wake: () => void): () => void;
}

/** Returns the clock whose time of day is `clock`'s steady time: it has the same timers, and never steps. */
export function steadyClock(clock: Clock): Clock {
  const steadyMs = () => clock.steadyMs();
  return { now: steadyMs, steadyMs, setTimer: (delayMs, wake) => clock.setTimer(delayMs, wake) };
}

/** A moment as both clocks show it. The wall clock may be set back, and the steady one may stand still while a function is frozen. */
export interface Moment {
  readonly steadyMs: number;
  readonly timeMs: number;
}

export function momentOf(clock: Clock): Moment {
  return { steadyMs: clock.steadyMs(), timeMs: clock.now() };
}

/** True if both clocks show that less than `limitMs` has passed since the moment. */
export function isRecent(clock: Clock, { steadyMs, timeMs }: Moment, limitMs: number): boolean {
  return isBelow(limitMs, clock.steadyMs() - steadyMs) && isBelow(limitMs, clock.now() - timeMs);
}

function isBelow(limitMs: number, ms: number): boolean {
  return ms >= 0 && ms < limitMs;
}

/** Returns how many milliseconds have passed since the moment: by the clock that shows less, and by the one that shows more. */
export function timeSince(clock: Clock, { steadyMs, timeMs }: Moment): readonly [leastMs: number, mostMs: number] {
  const passed = [clock.steadyMs() - steadyMs, clock.now() - timeMs];
  return [Math.min(...passed), Math.max(...passed)];
}

/** Resolves after `delayMs`, or as soon as `signal` is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** The times that RFC 3339 can write: its years have four digits. */
const EARLIEST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
export const LATEST_TIME_MS = Date.parse('9999-12-31T23:59:59Z');

/** Kubernetes' `metav1.Time`: RFC 3339 in UTC with whole seconds, truncated and not rounded. Never throws: a time that RFC 3339 cannot write becomes the nearest one that it can. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  // Thousands of objects get the time of the same second.
  if (second !== lastWritten.second) lastWritten = { second, text: `${isoTime(epochMs).slice(0, 19)}Z` };
  return lastWritten.text;
}

let lastWritten = { second: Number.NaN, text: '' };

/** Kubernetes' `metav1.MicroTime`: RFC 3339 in UTC with six decimals. Never throws, as `formatTime`. */
export function formatMicroTime(epochMs: number): string {
  return `${isoTime(epochMs).slice(0, 23)}000Z`;
}

function isoTime(epochMs: number): string {
  // What is no number was computed from a time that cannot be read. The earliest time is the one that delays nothing.
  const readableMs = Number.isNaN(epochMs) ? EARLIEST_TIME_MS : epochMs;
  return new Date(Math.min(Math.max(readableMs, EARLIEST_TIME_MS), LATEST_TIME_MS)).toISOString();
}
