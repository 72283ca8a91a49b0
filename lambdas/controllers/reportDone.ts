import type { SyncReport } from './Controller.ts';
import type { Reason } from './Reason.ts';
import { reasonInWords } from './reasonInWords.ts';

/** Reports a sync that ended well, for one reason, after these writes. Pure. */
export function reportDone(reason: Reason, writes: readonly string[] = []): SyncReport {
  return { outcome: { status: 'done' }, why: [reasonInWords(reason)], writes };
}
