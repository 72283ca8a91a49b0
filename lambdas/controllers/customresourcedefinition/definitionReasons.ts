import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What a definition of custom resources waits for. */
export const definitionReasons = {
  ...sharedReasons,
  definitionIsRight: () => 'its names and conditions are right',
  waitsToBeEstablished: ({ delayMs }: { readonly delayMs: number }) =>
    `its names are accepted; it is established in ${delayMs} ms, when all processes know it`,
  customObjectsRemain: ({ objects }: { readonly objects: number }) => `${objects} of its objects were still there`,
  definitionWaitsForRequests: ({ delayMs }: { readonly delayMs: number }) =>
    `it has no objects; requests that saw it served may write for another ${delayMs} ms`,
  definitionIsEmpty: () => 'it has no objects, and none can be created any more',
};

export type Reason = ReasonOf<typeof definitionReasons>;

export const { reasonInWords, reportDone } = wordsOf(definitionReasons);
