import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Whether the expressions of a policy are checked. */
export const policyStatusReasons = {
  ...sharedReasons,
  policyIsChecked: () => 'its expressions have been checked since its spec changed',
  policyIsCheckedNow: ({ warnings }: { readonly warnings: number }) =>
    `its expressions are checked; those that do not fit the types: ${warnings}`,
};

export const { reportDone } = wordsOf(policyStatusReasons);
