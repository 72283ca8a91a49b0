import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why the endpoints of a service are as they are; for all three controllers of endpoints. */
export const endpointReasons = {
  ...sharedReasons,
  serviceHasNoSelector: () => 'the service selects no pods, so its endpoints are somebody else\u2019s',
  endpointsAreRight: () => 'the endpoints match the pods',
  endpointsChanged: () => 'the endpoints follow the pods',
};

export const { reportDone } = wordsOf(endpointReasons);
