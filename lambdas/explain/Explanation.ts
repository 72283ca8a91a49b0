import type { SyncRecord } from './SyncHistory.ts';
import type { LastChange } from './waitsInWords.ts';

/** Why a key's object is in its present state: what its syncs observed and did, and what they wait for. Times are milliseconds since the epoch. */
export interface Explanation {
  /** `deployment/default/web` */
  readonly key: string;
  readonly nowMs: number;
  /** Whether its object exists; absent for keys that name no single object. */
  readonly exists?: boolean;
  readonly state: KeyState;
  /** Absent: no sync of the key has read a change of a sampled trace, as far as its item remembers. */
  readonly lastChange?: LastChange;
  /** For a Deployment: the state of its rollout. */
  readonly rollout?: RolloutExplanation;
  /** For a Job: how far it has come. */
  readonly job?: DecisionExplanation;
  /** For a CronJob: which run is due, and why it starts or does not. */
  readonly cronJob?: DecisionExplanation;
  /** For a PodDisruptionBudget: how many pods it lets go. */
  readonly budget?: DecisionExplanation;
  /** For a node: which of its pods may be evicted. */
  readonly node?: DecisionExplanation;
  /** For a DaemonSet: which nodes have its pods, and what its update waits for. */
  readonly daemonSet?: DecisionExplanation;
  /** For a HorizontalPodAutoscaler: the arithmetic by which it scales, or does not. */
  readonly autoscaler?: DecisionExplanation;
  /** For a StatefulSet: which pod it creates, deletes or waits for. */
  readonly statefulSet?: DecisionExplanation;
  /** The pods of the object that are not ready, grouped by owner and reason. */
  readonly stuckPods: readonly StuckPods[];
  /** The newest first. Absent where other processes run them, and only their log has them. */
  readonly syncs?: readonly SyncRecord[];
}

/** The state of a key in the queue and of its lock. */
export interface KeyState {
  /** A worker is syncing it; the time when its lock ends at the latest. */
  readonly syncingUntilMs?: number;
  /** It waits for a free worker. Absent: the queue shows no single key. */
  readonly isQueued?: boolean;
  /** Syncs in a row that failed. */
  readonly failures: number;
  /** When it is tried again after a failure. */
  readonly retryAtMs?: number;
  /** When it is synced again even if nothing changes. */
  readonly wakeAtMs?: number;
  /** The number of pods that an earlier sync began to create or delete without finishing. */
  readonly unfinishedPods?: number;
  /** Why it was given up after too many failures. It is not tried again until something changes. */
  readonly deadLetter?: string;
}

export interface RolloutExplanation {
  /** One line: replicas and their bounds. */
  readonly summary: string;
  readonly replicaSets: readonly ReplicaSetCounts[];
  /** What a sync would decide now, as phrases. */
  readonly why: readonly string[];
  /** What a sync would write now; empty while it waits. */
  readonly wouldWrite: readonly string[];
  /** What must happen before the next step, as phrases such as `until …`; empty if nothing is left to do. */
  readonly waitsFor: readonly string[];
  /** The last sync of each ReplicaSet in `replicaSets`. */
  readonly replicaSetSyncs: readonly SyncRecord[];
}

export interface DecisionExplanation {
  /** What is stored about the object, a line each: the counts of a Job or a StatefulSet, the schedule and the last run of a CronJob, the bounds of an autoscaler, the pods of a budget or of a node. */
  readonly summary: readonly string[];
  /** What a sync would decide now, or how a Job has ended. */
  readonly why: readonly string[];
  /** What must happen before the Job ends, the CronJob starts its next run, the StatefulSet goes on, the DaemonSet's update goes on, the autoscaler changes the replicas, or a pod may be evicted; empty if nothing must, or if there is something to do now. */
  readonly waitsFor: readonly string[];
}

export interface ReplicaSetCounts {
  readonly name: string;
  readonly part: 'new' | 'old';
  readonly revision: string;
  readonly desired: number;
  readonly current: number;
  readonly ready: number;
  readonly available: number;
}

/** Pods that are not ready for the same reason. */
export interface StuckPods {
  /** `ImagePullBackOff`, `CrashLoopBackOff`, `Unschedulable`, `ContainersNotReady`, … */
  readonly reason: string;
  /** The message of one of them. */
  readonly message: string;
  readonly count: number;
  /** The name of their owner. */
  readonly owner: string;
  /** The name of one of them. */
  readonly example: string;
}
