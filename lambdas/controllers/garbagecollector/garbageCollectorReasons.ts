import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why an object stays, is deleted, or loses owners or finalizers. */
export const garbageCollectorReasons = {
  ...sharedReasons,
  notACollectorKey: ({ name }: { readonly name: string }) => `the key ${name} names no object`,
  restFollows: () => 'its time is over; the next sync does the rest',
  goneWithDependents: ({ dependents }: { readonly dependents: number }) => `it is gone; dependents left: ${dependents}`,
  isBeingDeleted: () => 'it is being deleted already',
  noOwners: () => 'it names no owner',
  ownersExist: ({ solid }: { readonly solid: number }) => `all of its owners exist: ${solid}`,
  someOwnersUnwanted: ({ unwanted, solid }: { readonly unwanted: number; readonly solid: number }) =>
    `owners that are gone or wait for it: ${unwanted}; owners that keep it: ${solid}`,
  ownerWaitsAndDependentsGoFirst: () => 'its owner waits for it, and it waits for its own dependents',
  ownerWaits: () => 'its owner waits for it to be deleted',
  ownersAreGone: () => 'all of its owners are gone',
  orphanedByOwner: () => 'its owner orphans it',
  noBlockingDependents: () => 'no dependent blocks its deletion any more',
  waitsForDependents: ({ blocking }: { readonly blocking: number }) =>
    `dependents that block its deletion: ${blocking}`,
  finalizerDone: ({ finalizer }: { readonly finalizer: string }) => `the finalizer ${finalizer} has done its work`,
  isGoneAlready: () => 'it is gone already',
};

export type Reason = ReasonOf<typeof garbageCollectorReasons>;

export const { reasonInWords } = wordsOf(garbageCollectorReasons);
