import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a node is as it is. */
export const nodeReasons = {
  ...sharedReasons,
  nodeIsReady: () => 'it is ready',
  nodeIsNotReady: () => 'it is not ready',
};

export type Reason = ReasonOf<typeof nodeReasons>;

export const { reasonInWords } = wordsOf(nodeReasons);
