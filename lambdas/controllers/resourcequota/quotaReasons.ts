import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Whether a quota counts what there is. */
export const quotaReasons = {
  ...sharedReasons,
  quotaIsRight: () => 'its charges match the objects that exist',
  quotaUsed: ({ used }: { readonly used: unknown }) => `it has ${JSON.stringify(used)} in use`,
  quotaChargedMeanwhile: () => 'it was charged since it was read',
};

export const { reasonInWords, reportDone } = wordsOf(quotaReasons);
