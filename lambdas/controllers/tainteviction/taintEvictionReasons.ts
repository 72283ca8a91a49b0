import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What becomes of the pods of a tainted node. */
export const taintEvictionReasons = {
  ...sharedReasons,
  evictsNoPods: () => 'it has no taint that evicts pods',
  taintsGetTimes: () => 'its taints have got the time from which the pods are given',
  evictsPods: ({ evicted }: { readonly evicted: number }) => `its taints evicted ${evicted} pods`,
};

export const { reasonInWords, reportDone } = wordsOf(taintEvictionReasons);
