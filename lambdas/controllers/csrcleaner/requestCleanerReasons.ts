import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a request for a certificate stays, or goes. */
export const requestCleanerReasons = {
  ...sharedReasons,
  requestStays: () => 'it is approved and has no certificate yet, so it stays',
  requestHasExpired: () => 'it was settled long ago, or nobody has decided about it for a day',
};

export const { reportDone } = wordsOf(requestCleanerReasons);
