import { type ReasonOf, wordsOf } from './reasonTable.ts';

/** The reasons that syncs of several rooms have. Each room's table begins with them. */
export const sharedReasons = {
  isGone: () => 'it is gone',
  changedMeanwhile: () => 'it has changed since it was read',
  ownerIsGone: ({ name, namespace }: { readonly namespace: string; readonly name: string }) =>
    `${namespace}/${name} is gone`,
  ownerIsBeingDeleted: () => 'it is being deleted, so only its status is kept up to date',
  plannedPodsBurned: () => 'the names of the pods that it was about to create were burned',
  intentSettled: ({
    creates,
    burns,
    deletes,
  }: {
    readonly creates: number;
    readonly burns: number;
    readonly deletes: number;
  }) =>
    `an earlier sync was interrupted: create ${creates} of the pods that it had named, burn ${burns} names, finish ${deletes} deletes`,
  emptySelector: () => 'its selector is empty, so nothing is done',
  deletionIsNotOurs: () => 'it is being deleted, and its deletion does not wait for the garbage collector',
  namespaceIsNotActive: () => 'the namespace is not active',
  /** Of any object that is deleted when its time is over. */
  expires: ({ delayMs }: { readonly delayMs: number }) => `it is deleted in ${delayMs} ms`,
};

export type SharedReason = ReasonOf<typeof sharedReasons>;

export const { reasonInWords, reportDone } = wordsOf(sharedReasons);
