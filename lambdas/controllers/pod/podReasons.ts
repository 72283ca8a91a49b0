import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What became of a pod. */
export const podReasons = {
  ...sharedReasons,
  moreSteps: () => 'it has more steps to take',
  waitsForChange: () => 'there is nothing to do until it changes',
  /** The pod has no node yet. */
  waitsForScheduler: () => 'it waits for a scheduler to find a node',
  /** The pod is on a node that is not simulated. */
  leftToKubelet: ({ nodeName }: { readonly nodeName: string }) => `it is left to the kubelet of node ${nodeName}`,
  waitsForContainers: ({ delayMs }: { readonly delayMs: number }) =>
    `its containers change by themselves in ${delayMs} ms`,
  waitsForObjects: ({ delayMs }: { readonly delayMs: number }) =>
    `it waits for objects that are missing, and is tried again in ${delayMs} ms`,
};

export type Reason = ReasonOf<typeof podReasons>;

export const { reasonInWords } = wordsOf(podReasons);
