import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What becomes of a request for a certificate that is approved. */
export const signingReasons = {
  ...sharedReasons,
  requestNeedsNoCertificate: () => 'it is not approved, or has its certificate, or is for another signer',
  certificateIsIssued: () => 'it is approved, and follows the rules of its signer',
  certificateIsRefused: () => 'it breaks the rules of its signer',
};

export const { reasonInWords, reportDone } = wordsOf(signingReasons);
