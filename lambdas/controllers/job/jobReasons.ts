import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a sync of a Job did what it did. */
export const jobReasons = {
  ...sharedReasons,
  jobHasEnded: ({ condition }: { readonly condition: string }) => `it has ended: ${condition}`,
  jobIsManagedBy: ({ controller }: { readonly controller: string }) =>
    `it is left to the controller ${controller}, as its managedBy says`,
  /** `condition` is the interim one, `because` its reason in CamelCase. */
  jobEnds: ({
    condition,
    because,
    pods,
  }: {
    readonly condition: string;
    readonly because: string;
    readonly pods: number;
  }) => `it ends (${condition}: ${because}), so its ${pods} active pods are deleted`,
  jobIsSuspended: ({ pods }: { readonly pods: number }) => `it is suspended, so its ${pods} active pods are deleted`,
  tooManyJobPods: ({
    wanted,
    active,
    deletes,
  }: {
    readonly wanted: number;
    readonly active: number;
    readonly deletes: number;
  }) => `it wants ${wanted} active pods and has ${active}: delete ${deletes}`,
  tooFewJobPods: ({
    wanted,
    active,
    creates,
  }: {
    readonly wanted: number;
    readonly active: number;
    readonly creates: number;
  }) => `it wants ${wanted} active pods and has ${active}: create ${creates}`,
  enoughJobPods: ({
    wanted,
    active,
    terminating,
  }: {
    readonly wanted: number;
    readonly active: number;
    readonly terminating: number;
  }) =>
    `it wants ${wanted} active pods and has ${active}${terminating > 0 ? `, and replaces ${terminating} that are terminating when they have ended` : ''}`,
  /** Without `failures` each index waits by its own. */
  jobBacksOff: ({ failures, delayMs }: { readonly failures: number | undefined; readonly delayMs: number }) =>
    failures === undefined
      ? `each failed index waits before its next pod, the first for ${delayMs} ms more`
      : `the next pod waits for ${delayMs} ms more after ${failures} failures in a row`,
  podsCounted: ({ pods }: { readonly pods: number }) => `${pods} pods that have ended are counted`,
  jobWaitsForPods: ({ condition, terminating }: { readonly condition: string; readonly terminating: number }) =>
    `it becomes ${condition} when all pods are counted and the ${terminating} terminating ones are gone`,
  orphanPodReleased: ({ name }: { readonly name: string }) =>
    `no job counts pod ${name} any more, so it loses its finalizer`,
  podIsNoOrphan: () => 'the pod is gone, is not tracked, or is counted by its job',
};

export type Reason = ReasonOf<typeof jobReasons>;

export const { reasonInWords, reportDone } = wordsOf(jobReasons);
