import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a Job that has ended stays, or goes. */
export const timeToLiveReasons = {
  ...sharedReasons,
  jobStays: () => 'it has not ended, has no time to live, or is being deleted',
  jobHasExpired: () => 'its time to live is over, so it is deleted with its pods',
};

export const { reportDone } = wordsOf(timeToLiveReasons);
