import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What a namespace that is being deleted still waits for. */
export const namespaceReasons = {
  ...sharedReasons,
  isNotBeingDeleted: () => 'it is not being deleted',
  isFinalizedAlready: () => 'it is finalized already',
  waitsForRequests: ({ delayMs }: { readonly delayMs: number }) =>
    `it is empty; requests that saw it active may write for another ${delayMs} ms`,
  /** In Kubernetes' words, from the namespace's conditions. */
  contentRemains: ({ message }: { readonly message: string }) => message,
  isEmptyForGood: () => 'it is empty, and nothing can be created in it any more',
};

export const { reasonInWords, reportDone } = wordsOf(namespaceReasons);
