import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What becomes of a request for a certificate that nobody has decided about. */
export const approvingReasons = {
  ...sharedReasons,
  requestIsDecided: () => 'somebody has approved or denied it',
  requestIsNotRecognized: () => 'it is for a person to approve or deny it',
  requestIsApproved: () => 'a kubelet asks for its client certificate, and may have it',
};

export const { reasonInWords, reportDone } = wordsOf(approvingReasons);
