import type { SyncRecord } from '../../lambdas/functions/sync/SyncHistory.ts';

/** Why a key's object is as it is: what its syncs saw and did, and what is waited for. Times are milliseconds since the epoch. */
export interface Explanation {
  /** `deployment/default/web` */
  readonly key: string;
  readonly nowMs: number;
  /** Whether its object is there; absent for keys that are about no single object. */
  readonly exists?: boolean;
  readonly state: KeyState;
  /** Of a Deployment: how its rollout stands. */
  readonly rollout?: RolloutExplanation;
  /** Of what owns pods: those that are not available, by what keeps them. */
  readonly stuckPods: readonly StuckPods[];
  /** The newest first. */
  readonly syncs: readonly SyncRecord[];
}

/** How a key stands with the queue and its lock. */
export interface KeyState {
  /** A worker is at it, until then at most. */
  readonly syncingUntilMs?: number;
  /** It waits for a free worker. */
  readonly isQueued: boolean;
  /** Syncs in a row that failed. */
  readonly failures: number;
  /** When it is tried again after a failure. */
  readonly retryAtMs?: number;
  /** When it is looked at again though nothing changes. */
  readonly wakeAtMs?: number;
  /** An earlier sync began to create or delete pods and has not finished: so many. */
  readonly unfinishedPods?: number;
  /** It failed too often and is not tried again until something changes: why. */
  readonly deadLetter?: string;
}

export interface RolloutExplanation {
  /** One line: replicas and what bounds them. */
  readonly summary: string;
  readonly replicaSets: readonly ReplicaSetCounts[];
  /** What a sync would decide now, in sentences. */
  readonly why: readonly string[];
  /** What a sync would write now; empty while it waits. */
  readonly wouldWrite: readonly string[];
  /** What must happen before the next step; empty when nothing is to be done. */
  readonly waitsFor: readonly string[];
  /** The last sync of each of its ReplicaSets that has, had or is to have pods. */
  readonly replicaSetSyncs: readonly SyncRecord[];
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

/** Pods that are kept from becoming available by the same thing. */
export interface StuckPods {
  /** `ImagePullBackOff`, `CrashLoopBackOff`, `Unschedulable`, `ContainersNotReady`, … */
  readonly reason: string;
  /** As one of them says it. */
  readonly message: string;
  readonly count: number;
  /** Of their owner. */
  readonly owner: string;
  /** The name of one of them. */
  readonly example: string;
}
