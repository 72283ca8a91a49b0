import type { SyncOutcome } from './Controller.ts';

export const CONFLICT: SyncOutcome = { status: 'conflict' };
/** The sync's time was over, or it has taken one step of several: the next sync follows at once. */
export const LOOK_AGAIN: SyncOutcome = { status: 'requeueAfter', delayMs: 0 };

export interface SyncEnd {
  /** Something had changed since it was read. */
  readonly mustReobserve: boolean;
  /** Something is left to do that needs no change to begin. */
  readonly isCutShort?: boolean;
  /** In how many milliseconds the passing of time alone may change what is to be done; `undefined`: never. */
  readonly delaysMs?: readonly (number | undefined)[];
}

/** Returns how a sync ended. What it saw is worth nothing after a conflict, so that comes first; then what is left to do at once, then the shortest wait. Pure. */
export function conclude({ mustReobserve, isCutShort = false, delaysMs = [] }: SyncEnd): SyncOutcome {
  if (mustReobserve) return CONFLICT;
  if (isCutShort) return LOOK_AGAIN;
  const known = delaysMs.filter((delayMs) => delayMs !== undefined);
  return known.length === 0 ? { status: 'done' } : { status: 'requeueAfter', delayMs: Math.min(...known) };
}
