import type { Intent } from '../../ports/KeyLocks.ts';
import type { Committed } from '../Committed.ts';
import { CONFLICT, LOOK_AGAIN } from '../conclude.ts';
import type { SyncContext, SyncReport } from '../Controller.ts';
import { reasonInWords } from '../sharedReasons.ts';

/**
 * Ends the sync of a Job or a DaemonSet that did nothing but settle the intent of an earlier one. `rest` is what stays of the intent once none of its requests can have an effect any more. Throws the failure of a write.
 *
 * What others settle stays apart. A ReplicaSet settles within its plan, since it may create pods by an old intent (`settleIntent`). A StatefulSet makes deletes void where these two carry them out, and remembers creates whose names other
 * pods have (`settleRequests`). A Deployment and a CronJob make void what they requested before they observe (`fenceResizes`, `settleRun`), and an autoscaler looks what became of its one write (`settlePending`).
 */
export async function concludeSettled(
  { recordIntent }: SyncContext,
  { count, deletes }: Intent,
  settled: Committed,
  rest: Intent | undefined,
): Promise<SyncReport> {
  if (settled.failure) throw settled.failure;
  if (settled.settled && !settled.unfinished) await recordIntent(rest);
  const why = { reason: 'intentSettled', creates: 0, burns: count, deletes: deletes.length } as const;
  return { outcome: settled.mustReobserve ? CONFLICT : LOOK_AGAIN, why: [reasonInWords(why)], writes: settled.writes };
}
