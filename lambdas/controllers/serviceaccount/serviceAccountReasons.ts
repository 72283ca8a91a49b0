import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What a namespace has of its account. */
export const serviceAccountReasons = {
  ...sharedReasons,
  namespaceIsEquipped: () => 'an active namespace has a service account and the root CA',
};

export const { reportDone } = wordsOf(serviceAccountReasons);
