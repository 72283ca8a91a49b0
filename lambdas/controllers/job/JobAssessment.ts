import type { JobCondition } from 'kubernetes-types/batch/v1.js';
import type { Job, Pod } from '../../objects/kinds.ts';
import type { Intervals } from './indexIntervals.ts';
import type { BackoffRecord } from './podFailures.ts';

/** Everything that a Job's sync decides by. */
export interface JobWorld {
  readonly job: Job;
  /** The pods that the Job owns, in every state. */
  readonly pods: readonly Pod[];
  /** What the key remembers of pods that failed by being deleted. */
  readonly vanished: BackoffRecord | undefined;
  readonly nowMs: number;
}

/** What the pods of a Job come to, together with what its status has counted already. Kubernetes' `syncJobCtx`. */
export interface JobAssessment extends JobWorld {
  readonly active: readonly Pod[];
  readonly terminating: number;
  readonly ready: number;
  /** Pods, or indexes, that have succeeded, those that are not in the status yet among them. */
  readonly succeeded: number;
  /** Pods that have failed and were not ignored, those that are not in the status yet among them. */
  readonly failed: number;
  readonly uncounted: { readonly succeeded: ReadonlySet<string>; readonly failed: ReadonlySet<string> };
  /** Of a Job with indexes: those of the status, and those with the pods that are not counted yet. */
  readonly countedIndexes: Intervals;
  readonly succeededIndexes: Intervals;
  /** Of a Job with a limit for each index. */
  readonly failedIndexes: Intervals | undefined;
  /** The failed pod of each index that stays until the next pod of the index has taken over its count of failures. */
  readonly heldPods: ReadonlyMap<number, Pod>;
  readonly startedAtMs: number | undefined;
  /** The condition that ends the Job: one that it has, or one that is new. */
  readonly finishing: JobCondition | undefined;
}
