/** What is read of an object's status. Objects of any client have it, so that each part may be absent. */
export interface JudgedObject {
  readonly kind?: string | undefined;
  readonly metadata?:
    | {
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
        readonly generation?: number | undefined;
      }
    | undefined;
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface JudgedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** How far an object is, and why: one sentence for a message. */
export interface Progress {
  readonly phase: 'complete' | 'progressing' | 'failed';
  readonly isAvailable: boolean;
  readonly why: string;
}

interface Counts {
  readonly desired: number;
  readonly updated: number;
  readonly available: number;
}

type Numbers = Readonly<Record<string, number | undefined>>;

/** Returns the conditions of an object, or none. Pure. */
export function conditionsOf(object: JudgedObject): readonly JudgedCondition[] {
  return (object.status as { readonly conditions?: readonly JudgedCondition[] } | undefined)?.conditions ?? [];
}

/** Judges how far an object is, by the rules of `kubectl rollout status` and `kubectl wait` for its kind; one of another kind by its conditions `Available`, `Ready` or `Established`. Pure. */
export function progressOf(object: JudgedObject): Progress {
  const { observedGeneration } = (object.status ?? {}) as Numbers;
  const { generation = 0 } = object.metadata ?? {};
  if (observedGeneration !== undefined && observedGeneration < generation)
    return progressing(`its controller has not seen generation ${generation} yet`);
  switch (object.kind ?? '') {
    case 'Deployment':
      return deploymentProgress(object);
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
    case 'DaemonSet':
      return countedProgress(countsOf(object));
    case 'Job':
      return conditionProgress(object, 'Complete', ['Failed']);
    case 'Pod':
      return podProgress(object);
    default:
      return otherProgress(object);
  }
}

function progressing(why: string, isAvailable = false): Progress {
  return { phase: 'progressing', isAvailable, why };
}

function deploymentProgress(object: JudgedObject): Progress {
  const { spec, status } = object as { readonly spec?: Numbers; readonly status?: Numbers };
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  const counted = countedProgress({
    desired: spec?.['replicas'] ?? 1,
    updated: updatedReplicas,
    available: availableReplicas,
  });
  const conditions = conditionsOf(object);
  const isAvailable = conditions.some(({ type, status: is }) => type === 'Available' && is === 'True');
  const failure = conditions.find(({ reason }) => reason === 'ProgressDeadlineExceeded');
  if (failure) return { phase: 'failed', isAvailable, why: `${counted.why}; ${conditionText(failure)}` };
  const old = replicas - updatedReplicas;
  if (counted.phase === 'complete' && old > 0) return progressing(`${old} old replicas are still there`, isAvailable);
  return { ...counted, isAvailable };
}

function countsOf({ kind, spec, status }: JudgedObject): Counts {
  const has = (status ?? {}) as Numbers;
  if (kind === 'DaemonSet') {
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = has;
    return { desired: desiredNumberScheduled, updated: updatedNumberScheduled, available: numberAvailable };
  }
  const desired = ((spec ?? {}) as Numbers)['replicas'] ?? 1;
  const { availableReplicas = 0, updatedReplicas = 0 } = has;
  if (kind !== 'StatefulSet') return { desired, updated: desired, available: availableReplicas };
  // A partition holds back the replicas below it, which keep their revision.
  const { updateStrategy } = (spec ?? {}) as { updateStrategy?: { type?: string; rollingUpdate?: Numbers } };
  const isHeld = updateStrategy?.type === 'OnDelete' || (updateStrategy?.rollingUpdate?.['partition'] ?? 0) > 0;
  return { desired, updated: isHeld ? desired : updatedReplicas, available: availableReplicas };
}

function countedProgress({ desired, updated, available }: Counts): Progress {
  const isAvailable = available >= desired;
  const isComplete = isAvailable && updated >= desired;
  const why =
    updated < desired
      ? `${updated} of ${desired} replicas are updated, and ${available} are available`
      : `${available} of ${desired} replicas are available`;
  return { phase: isComplete ? 'complete' : 'progressing', isAvailable, why };
}

function podProgress(object: JudgedObject): Progress {
  const { phase = 'Pending', containerStatuses = [] } = (object.status ?? {}) as {
    readonly phase?: string;
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly state?: { readonly waiting?: { readonly reason?: string } };
    }[];
  };
  if (phase === 'Succeeded') return { phase: 'complete', isAvailable: false, why: 'it has ended with success' };
  if (phase === 'Failed') return { phase: 'failed', isAvailable: false, why: 'its phase is Failed' };
  const waiting = containerStatuses.flatMap(({ name, state }) =>
    state?.waiting?.reason === undefined ? [] : [`container ${name} waits: ${state.waiting.reason}`],
  );
  const ready = conditionProgress(object, 'Ready', []);
  return waiting.length > 0 ? { ...ready, why: waiting.join(', ') } : ready;
}

function otherProgress(object: JudgedObject): Progress {
  const known = ['Available', 'Ready', 'Established'].find((wanted) =>
    conditionsOf(object).some(({ type }) => type === wanted),
  );
  return conditionProgress(object, known ?? 'Ready', ['Failed', 'Stalled']);
}

function conditionProgress(object: JudgedObject, wanted: string, failing: readonly string[]): Progress {
  const conditions = conditionsOf(object);
  const failure = conditions.find(({ type, status }) => failing.includes(type) && status === 'True');
  if (failure) return { phase: 'failed', isAvailable: false, why: conditionText(failure) };
  const condition = conditions.find(({ type }) => type === wanted);
  if (!condition) return progressing(`it has no condition ${wanted} yet`);
  const isTrue = condition.status === 'True';
  return { phase: isTrue ? 'complete' : 'progressing', isAvailable: isTrue, why: conditionText(condition) };
}

/** `Ready is False (ContainersNotReady): containers with unready status: [web]`. Pure. */
export function conditionText({ type, status, reason, message }: JudgedCondition): string {
  return `${type} is ${status}${reason ? ` (${reason})` : ''}${message ? `: ${message}` : ''}`;
}
