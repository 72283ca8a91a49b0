import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a bootstrap token stays, or goes. */
export const tokenCleanerReasons = {
  ...sharedReasons,
  tokenStays: () => 'it is no bootstrap token that ends, or has just changed',
  tokenHasExpired: () => 'the bootstrap token has ended',
};

export const { reportDone } = wordsOf(tokenCleanerReasons);
