/** A workload by where it stands. */
export interface Target {
  readonly resource: 'deployments.apps' | 'replicasets.apps' | 'replicationcontrollers';
  readonly namespace: string;
  readonly name: string;
}

export type Policy = 'Background' | 'Foreground' | 'Orphan';

/** What the pods of a template are like, besides their image; durations as Go writes them. */
export type PodHabits = Readonly<Record<string, string>>;

export interface Strategy {
  readonly type: 'RollingUpdate' | 'Recreate';
  readonly rollingUpdate?: { readonly maxSurge: number | string; readonly maxUnavailable: number | string };
}

/** One thing that a user does. What is drawn (`pick`) is drawn with the script, so that it is the same in every run of it. */
export type ClientOp =
  | {
      readonly op: 'create';
      readonly target: Target;
      readonly replicas: number;
      readonly image: string;
      readonly strategy: Strategy;
      readonly minReadySeconds: number;
      readonly habits: PodHabits;
    }
  | { readonly op: 'scale'; readonly target: Target; readonly replicas: number }
  | { readonly op: 'image'; readonly target: Target; readonly image: string }
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
  | { readonly op: 'attachPods'; readonly target: Target };

export interface TimedOp {
  readonly atMs: number;
  readonly op: ClientOp;
}

export interface Script {
  readonly ops: readonly TimedOp[];
  /** When the last fault may begin. */
  readonly endMs: number;
  /** True if the end does not depend on what the client met on the way. */
  readonly commutes: boolean;
}

export function describeOp(op: ClientOp): string {
  const { op: verb, target, ...rest } = op;
  return `${verb} ${target.resource} ${target.namespace}/${target.name} ${JSON.stringify(rest)}`;
}
