import type { ApiError } from '../../objects/ApiError.ts';
import type { EventToRecord } from '../EventRecorder.ts';

/** What was written about one pod. */
export interface Committed {
  /** Something else was written in between: the cluster must be observed again. */
  readonly isConflict: boolean;
  readonly writes: readonly string[];
  readonly events: readonly EventToRecord[];
}

export const NOTHING_COMMITTED: Committed = { isConflict: false, writes: [], events: [] };

/** Adds up what was written about several pods. Pure. */
export function merged(all: readonly Committed[]): Committed {
  return {
    isConflict: all.some(({ isConflict }) => isConflict),
    writes: all.flatMap(({ writes }) => writes),
    events: all.flatMap(({ events }) => events),
  };
}

/** An object that is gone needs nothing more; one that has changed makes the sync observe again. Throws other refusals. */
export function refused(error: ApiError): Committed {
  if (error.reason === 'NotFound') return NOTHING_COMMITTED;
  if (error.reason === 'Conflict') return { ...NOTHING_COMMITTED, isConflict: true };
  throw error;
}
