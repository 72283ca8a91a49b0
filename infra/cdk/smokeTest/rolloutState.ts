/** The parts of a Deployment that say how far its rollout is. */
export interface RollingDeployment {
  readonly metadata?: { readonly name?: string; readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The parts of a pod that say why it does not run. */
export interface WaitingPod {
  readonly metadata?: { readonly name?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly {
      readonly state?: { readonly waiting?: { readonly reason?: string; readonly message?: string } };
    }[];
  };
}

/** True if all of a Deployment's pods are of its newest template and available, and no other is left: the rule of `kubectl rollout status`. Pure. */
export function isRolledOut({ metadata, spec, status = {} }: RollingDeployment): boolean {
  const replicas = spec?.replicas ?? 1;
  return (
    (status.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas
  );
}

/** Says in one line what a rollout waits for: `1 of 2 updated, 0 available; Progressing=True ReplicaSetUpdated: …; pod web-1 is Pending: Unschedulable: …`. Pure. */
export function whatItWaitsFor(deployment: RollingDeployment, pods: readonly WaitingPod[]): string {
  const { metadata, spec, status = {} } = deployment;
  const replicas = spec?.replicas ?? 1;
  const seen =
    (status.observedGeneration ?? 0) < (metadata?.generation ?? 0)
      ? ['no controller has looked at it']
      : [`${status.updatedReplicas ?? 0} of ${replicas} updated, ${status.availableReplicas ?? 0} available`];
  const waiting = pods.filter((pod) => !pod.status?.conditions?.some(isReady)).map(describePod);
  return [...seen, ...(status.conditions ?? []).map(describe), ...waiting].join('; ');
}

function isReady({ type, status }: Condition): boolean {
  return type === 'Ready' && status === 'True';
}

function describe({ type, status, reason = '', message = '' }: Condition): string {
  return `${type}=${status} ${reason}: ${message}`;
}

function describePod({ metadata, status = {} }: WaitingPod): string {
  const waits = (status.containerStatuses ?? []).flatMap(({ state }) => (state?.waiting ? [state.waiting] : []));
  const unscheduled = (status.conditions ?? []).filter(
    ({ type, status: is }) => type === 'PodScheduled' && is === 'False',
  );
  const why = [...unscheduled, ...waits].map(({ reason = '', message = '' }) => `${reason}: ${message}`);
  return [`pod ${metadata?.name} is ${status.phase ?? 'new'}`, ...why].join(': ');
}
