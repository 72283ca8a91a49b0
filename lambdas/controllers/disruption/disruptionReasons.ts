import { wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a PodDisruptionBudget allows as many disruptions as it does. */
export const disruptionReasons = {
  ...sharedReasons,
  disruptionsAllowed: ({
    healthy,
    desired,
    expected,
    allowed,
  }: {
    readonly healthy: number;
    readonly desired: number;
    readonly expected: number;
    readonly allowed: number;
  }) => `${healthy} of ${expected} pods are healthy and ${desired} must be: ${allowed} may be evicted`,
  disruptionsUnknown: ({ message }: { readonly message: string }) =>
    `none may be evicted, because the budget cannot be computed: ${message}`,
  podIsNoTarget: () => 'the pod is gone, is being deleted, has ended, or is no target of a disruption',
  targetMayGoYet: ({ delayMs }: { readonly delayMs: number }) =>
    `the pod is the target of a disruption, and has ${delayMs} ms more to be deleted`,
  targetStays: () => 'the pod was the target of a disruption, and nobody has deleted it',
};

export const { reasonInWords, reportDone } = wordsOf(disruptionReasons);
