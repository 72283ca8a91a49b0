import type { SyncContext } from '../Controller.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Claim } from '../scheduler/framework/Volumes.ts';

/** A sync of one claim, as far as it has come. */
export interface ClaimSync {
  readonly registry: SyncContext['registry'];
  readonly claim: Claim;
  readonly writes: string[];
  readonly events: EventToRecord[];
}
