import type { HPAScalingRules } from 'kubernetes-types/autoscaling/v2.js';

/** A workload by its place. */
export interface Target {
  readonly resource:
    | 'deployments.apps'
    | 'replicasets.apps'
    | 'replicationcontrollers'
    | 'statefulsets.apps'
    | 'jobs.batch'
    | 'cronjobs.batch'
    | 'poddisruptionbudgets.policy'
    | 'horizontalpodautoscalers.autoscaling'
    | 'daemonsets.apps'
    | 'nodes'
    | 'configmaps'
    | 'secrets';
  readonly namespace: string;
  readonly name: string;
  /** The label `app` that it selects: two Deployments may share one. */
  readonly app: string;
}

export type Policy = 'Background' | 'Foreground' | 'Orphan';

/** How the pods of a template behave, besides their image; durations as Go writes them. */
export type PodHabits = Readonly<Record<string, string>>;

export interface Strategy {
  readonly type: 'RollingUpdate' | 'Recreate';
  readonly rollingUpdate?: { readonly maxSurge: number | string; readonly maxUnavailable: number | string };
}

/** What a budget says besides which pods it is about. */
export interface BudgetSpec {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  readonly unhealthyPodEvictionPolicy?: 'AlwaysAllow';
}

/** How a DaemonSet is updated. */
export interface DaemonStrategy {
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly rollingUpdate?: { readonly maxSurge: number; readonly maxUnavailable: number };
}

/** What the pods of a crowd ask of a node besides that it is one of theirs. */
export type CrowdWish =
  /** So many thousandths of a CPU. */
  | { readonly asks: 'cpu'; readonly milliCpu: number }
  | { readonly asks: 'port' }
  | { readonly asks: 'nothing' }
  /** To be alone, without others of its kind and without those that ask for nothing. */
  | { readonly asks: 'distance' }
  /** That the zones have almost the same number of them. */
  | { readonly asks: 'spread' };

/** How important the pods of a crowd are, and whether others must make room for them. */
export interface CrowdRank {
  readonly priority: number;
  readonly preempts: boolean;
}

/** What the pods of a ReplicaSet refer to: one key of it. */
export interface Needed {
  readonly resource: 'configmaps' | 'secrets';
  readonly name: string;
  readonly as: 'variable' | 'volume';
}

/** What an autoscaler says besides what it scales. */
export interface AutoscalerSpec {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  /** Where its metric comes from: something outside, or the pods. */
  readonly metric: 'External' | 'Pods';
  readonly behavior?: { readonly scaleUp: HPAScalingRules; readonly scaleDown: HPAScalingRules };
}

export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/** One action of a user. Choices (`pick`) are drawn with the script, so that they are the same in every run of it. */
export type ClientOp =
  | {
      readonly op: 'create';
      readonly target: Target;
      readonly replicas: number;
      readonly image: string;
      readonly strategy: Strategy;
      readonly minReadySeconds: number;
      readonly habits: PodHabits;
      /** Of Deployments only. */
      readonly progressDeadlineSeconds?: number;
      readonly autoRollback?: boolean;
    }
  | {
      readonly op: 'createJob';
      readonly target: Target;
      readonly parallelism: number;
      readonly completions: number;
      readonly isIndexed: boolean;
      readonly backoffLimit: number;
      readonly backoffLimitPerIndex?: number;
      /** A pod is replaced when it has failed, and not while it terminates. */
      readonly replacesFailedOnly?: boolean;
      readonly suspended: boolean;
      readonly habits: PodHabits;
    }
  | {
      readonly op: 'createCronJob';
      readonly target: Target;
      readonly policy: ConcurrencyPolicy;
      /** How many Jobs it keeps that succeeded, and that failed. */
      readonly history: readonly [succeeded: number, failed: number];
      readonly suspended: boolean;
      readonly habits: PodHabits;
    }
  | { readonly op: 'createBudget' | 'changeBudget'; readonly target: Target; readonly spec: BudgetSpec }
  | { readonly op: 'createAutoscaler' | 'changeAutoscaler'; readonly target: Target; readonly spec: AutoscalerSpec }
  /** Sets the total of an autoscaler's metric, outside and as a load of the pods. */
  | { readonly op: 'load'; readonly target: Target; readonly total: number }
  /** Evicts pods with the target's label, all at once: a pick for each. */
  | { readonly op: 'evict'; readonly target: Target; readonly picks: readonly number[] }
  | {
      readonly op: 'createDaemonSet';
      readonly target: Target;
      readonly image: string;
      readonly strategy: DaemonStrategy;
      readonly minReadySeconds: number;
      readonly habits: PodHabits;
    }
  | { readonly op: 'daemonStrategy'; readonly target: Target; readonly strategy: DaemonStrategy }
  /** Registers a node on which only daemons may run. */
  | { readonly op: 'addNode'; readonly target: Target; readonly number: number }
  | { readonly op: 'removeNode'; readonly target: Target }
  /** Creates a ReplicaSet whose pods compete with others for the few nodes that they tolerate. */
  | {
      readonly op: 'createCrowd';
      readonly target: Target;
      readonly replicas: number;
      readonly wish: CrowdWish;
      readonly rank: CrowdRank;
      readonly habits: PodHabits;
    }
  | {
      readonly op: 'createWaiters';
      readonly target: Target;
      readonly replicas: number;
      readonly needed: Needed;
      readonly habits: PodHabits;
    }
  /** Creates or fills the ConfigMap or the Secret. */
  | { readonly op: 'giveData'; readonly target: Target; readonly hasKey: boolean }
  /** Registers a small node, on which only such pods may run. */
  | { readonly op: 'addSmallNode'; readonly target: Target; readonly number: number; readonly pods: number }
  | { readonly op: 'cordonNode'; readonly target: Target; readonly isCordoned: boolean }
  /** Gives such a node a taint that keeps daemons away, or takes it from the node. */
  | { readonly op: 'taintNode'; readonly target: Target; readonly effect: 'NoSchedule' | 'NoExecute' | undefined }
  | {
      readonly op: 'createStatefulSet';
      readonly target: Target;
      readonly replicas: number;
      readonly isParallel: boolean;
      readonly isOnDelete: boolean;
      /** The ordinal of the first pod. */
      readonly start: number;
      readonly partition: number;
      readonly maxUnavailable?: number | string;
      readonly minReadySeconds: number;
      readonly image: string;
      readonly habits: PodHabits;
    }
  /** Changes the partition of a StatefulSet. */
  | { readonly op: 'partition'; readonly target: Target; readonly partition: number }
  | { readonly op: 'concurrency'; readonly target: Target; readonly policy: ConcurrencyPolicy }
  /** Deletes a Job of a CronJob. */
  | { readonly op: 'deleteJob'; readonly target: Target; readonly pick: number }
  | { readonly op: 'suspend'; readonly target: Target; readonly suspended: boolean }
  | { readonly op: 'parallelism'; readonly target: Target; readonly parallelism: number }
  | { readonly op: 'scale'; readonly target: Target; readonly replicas: number }
  | { readonly op: 'image'; readonly target: Target; readonly image: string }
  | { readonly op: 'autoRollback'; readonly target: Target; readonly isOn: boolean }
  | { readonly op: 'pause'; readonly target: Target; readonly paused: boolean }
  | { readonly op: 'strategy'; readonly target: Target; readonly strategy: Strategy }
  /** `kubectl rollout undo`: the template of the ReplicaSet before the current one is put into the spec. */
  | { readonly op: 'undo'; readonly target: Target }
  /** The deprecated annotation, which asks the controller to do it. */
  | { readonly op: 'rollbackTo'; readonly target: Target; readonly revision: number }
  | { readonly op: 'delete'; readonly target: Target; readonly policy: Policy }
  | { readonly op: 'deletePod'; readonly target: Target; readonly pick: number; readonly graceSeconds?: number }
  | { readonly op: 'deleteReplicaSet'; readonly target: Target; readonly pick: number; readonly policy: Policy }
  /** Takes a pod out of what its owner selects, so that it becomes an orphan. */
  | { readonly op: 'detachPod'; readonly target: Target; readonly pick: number }
  /** Gives all detached pods their label back. */
  | { readonly op: 'attachPods'; readonly target: Target }
  /** Creates a pod that ends by itself, as those of a Job do, with the label that the target selects. */
  | { readonly op: 'runPod'; readonly target: Target; readonly seconds: number; readonly exitCode: number }
  /** Takes the name that the Deployment's ReplicaSet for that image would get. */
  | { readonly op: 'takeName'; readonly target: Target; readonly image: string }
  /** Limits the pods of the target's namespace; `undefined` takes the limit away. */
  | { readonly op: 'quota'; readonly target: Target; readonly pods: number | undefined }
  | { readonly op: 'deleteNamespace'; readonly target: Target };

export interface TimedOp {
  readonly atMs: number;
  readonly op: ClientOp;
}

/** What an operator does: ends the one process and starts it again, or looks at every key. */
export interface Upkeep {
  readonly atMs: number;
  readonly what: 'restart' | 'resync';
}

export interface Script {
  readonly ops: readonly TimedOp[];
  readonly upkeep: readonly Upkeep[];
  /** When the last fault may begin. */
  readonly endMs: number;
  /** True if the end does not depend on what the client met on the way. */
  readonly commutes: boolean;
  /** True if workers decide by a time of day: when a pod becomes available, or when a rollout has failed. */
  readonly isTimed: boolean;
}

export function describeOp(op: ClientOp): string {
  const { op: verb, target, ...rest } = op;
  return `${verb} ${target.resource} ${target.namespace}/${target.name} ${JSON.stringify(rest)}`;
}
