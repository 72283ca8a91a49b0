import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What the pod garbage collector did. */
export const podCollectionReasons = {
  ...sharedReasons,
  collectsPods: ({ collected }: { readonly collected: number }) =>
    `${collected} pods were removed that nobody else could remove`,
};

export const { reasonInWords } = wordsOf(podCollectionReasons);
