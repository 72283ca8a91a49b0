import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What became of the leases of simulated nodes. */
export const nodeLeaseReasons = {
  ...sharedReasons,
  renewsLeases: ({ renewed, nodes }: { readonly renewed: number; readonly nodes: number }) =>
    `${renewed} of ${nodes} simulated nodes show that they are alive`,
};

export const { reasonInWords } = wordsOf(nodeLeaseReasons);
