import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a claim or a volume is held, or not. */
export const protectionReasons = {
  ...sharedReasons,
  protectionIsRight: () => 'it is protected, or free to go',
  isProtectedNow: () => 'it was not protected while it is used',
  isUsedBy: ({ name }: { readonly name: string }) => `it stays: ${name} uses it`,
  isUsedByNobody: () => 'nobody uses it any more',
};

export type Reason = ReasonOf<typeof protectionReasons>;

export const { reasonInWords } = wordsOf(protectionReasons);
