/** What the page is told of a cluster. Times are milliseconds since the epoch, of the cluster's clock. */

/** `ending`: it is being deleted. */
export type RolloutState = 'stuck' | 'progressing' | 'rolling back' | 'paused' | 'ending' | 'complete';

export type WorkloadKind = 'deployment' | 'statefulset' | 'daemonset';

export interface WorkloadView {
  /** `deployment/default/web` */
  readonly id: string;
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly state: RolloutState;
  /** The state in one sentence. */
  readonly says: string;
  readonly desired: number;
  /** Pods of the newest template. */
  readonly updated: number;
  readonly total: number;
  readonly available: number;
  readonly isPaused: boolean;
  readonly images: readonly string[];
  /** The names of its containers and then of its init containers, in the order of `images`. */
  readonly containers: readonly string[];
  readonly revision: string;
  /** The bounds of a rolling update of a Deployment. */
  readonly bounds?: Bounds;
  readonly conditions: readonly ConditionView[];
}

export interface Bounds {
  /** The most pods at any time. */
  readonly ceiling: number;
  /** The fewest available pods at any time. */
  readonly floor: number;
}

export interface ConditionView {
  /** In plain words. */
  readonly says: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface ReplicaSetView {
  readonly id: string;
  readonly name: string;
  readonly uid: string;
  readonly isNew: boolean;
  readonly revision: string;
  readonly desired: number;
  readonly images: readonly string[];
  readonly createdAtMs: number;
}

/** The states that a pod goes through, in this order; `failed` is one that does not become ready for a reason. */
export type PodState = 'created' | 'scheduled' | 'pulling' | 'running' | 'ready' | 'available' | 'failed' | 'ending';

export interface PodView {
  readonly id: string;
  readonly name: string;
  /** The UID of the ReplicaSet. */
  readonly owner: string;
  readonly state: PodState;
  /** Why it is not ready. */
  readonly reason?: string;
  readonly node?: string;
}

export interface EventView {
  readonly id: string;
  readonly isWarning: boolean;
  readonly reason: string;
  readonly message: string;
  readonly about: string;
  readonly count: number;
  readonly lastAtMs: number;
}

/** How many pods there were at a time. */
export interface CountSample {
  readonly atMs: number;
  /** Pods that are not being deleted. */
  readonly pods: number;
  readonly available: number;
  readonly ceiling: number;
  readonly floor: number;
}

/** One line of a stream: what has changed since the line before. */
export interface PageMessage {
  readonly nowMs: number;
  /** The clock stands still until it is moved. */
  readonly isVirtual: boolean;
  /** Whatever was said before no longer holds. */
  readonly isStart?: boolean;
  readonly workloads: readonly WorkloadView[];
  readonly replicaSets: readonly ReplicaSetView[];
  readonly pods: readonly PodView[];
  readonly events: readonly EventView[];
  /** The ids of what is gone. */
  readonly gone: readonly string[];
  readonly samples: readonly CountSample[];
  /** Why the cluster cannot be watched now. */
  readonly problem?: string;
}

/** What the page is told once. */
export interface ServerView {
  /** `v1.34.7+driftless` */
  readonly version: string;
  readonly isDriftless: boolean;
  /** It answers through API Gateway, where a watch costs money. */
  readonly isCloud: boolean;
  /** Faults and behaviours of pods can be added. */
  readonly hasTestControls: boolean;
  readonly isVirtual: boolean;
}
