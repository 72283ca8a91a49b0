import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What became of the signatures of the cluster's info. */
export const bootstrapSignerReasons = {
  ...sharedReasons,
  clusterInfoIsSigned: () => 'each bootstrap token for signing has signed it',
};

export const { reasonInWords, reportDone } = wordsOf(bootstrapSignerReasons);
