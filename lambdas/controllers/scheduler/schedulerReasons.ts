import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** What became of the pods that wait for a node. */
export const schedulerReasons = {
  ...sharedReasons,
  scheduled: ({ binds, waits }: { readonly binds: number; readonly waits: number }) =>
    `pods that got a node: ${binds}; pods that wait for one: ${waits}`,
  /** Pods with an anti-affinity wait until all processes leave plain pods to the scheduler. */
  heldForPlainPods: ({ held }: { readonly held: number }) =>
    `pods that keep others away wait until nobody binds pods without looking at them: ${held}`,
  morePods: ({ left }: { readonly left: number }) => `the next sync decides about the other pods: ${left}`,
};

export const { reasonInWords } = wordsOf(schedulerReasons);
