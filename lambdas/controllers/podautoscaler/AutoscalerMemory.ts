/**
 * What an autoscaler remembers between its syncs: what was recommended in the last hour at most, and how it changed the replicas. Kubernetes keeps both in its process. Here they are part of the key's intent, and are written before
 * the replicas are. Times are milliseconds since the epoch. All functions are pure.
 */
export interface AutoscalerMemory {
  /** The replicas that are recommended since the last change. */
  readonly current?: number;
  /** What was recommended before, and until when. */
  readonly past: readonly { readonly replicas: number; readonly untilMs: number }[];
  /** By how much the replicas were changed, and when; `isUncertain` if the write was not answered. */
  readonly events: readonly { readonly change: number; readonly atMs: number; readonly isUncertain?: boolean }[];
  /** The change that is being written, and the version of the object that it replaces. */
  readonly pending?: {
    readonly resource: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly change: number;
  };
}

export type ScaleEvent = AutoscalerMemory['events'][number];

export const NOTHING_REMEMBERED: AutoscalerMemory = { past: [], events: [] };

/** The longest window and the longest period that validation lets in. */
const LONGEST_WINDOW_MS = 3_600_000;
const LONGEST_PERIOD_MS = 1_800_000;

/**
 * Returns the recommendations that were still made less than `windowMs` ago. The last one counts until now: the syncs since then recommended the same, or they would have noted something else. So a recommendation that stays costs
 * no write. It counts up to one sync longer than in Kubernetes.
 */
export function recommendationsWithin(memory: AutoscalerMemory, windowMs: number, nowMs: number): readonly number[] {
  const past = memory.past.filter(({ untilMs }) => untilMs > nowMs - windowMs).map(({ replicas }) => replicas);
  return memory.current === undefined || windowMs === 0 ? past : [...past, memory.current];
}

/** Kubernetes' `recordInitialRecommendation`: the first sync counts the present replicas as recommended. */
export function withInitialRecommendation(memory: AutoscalerMemory, replicas: number, nowMs: number): AutoscalerMemory {
  const isFirst = memory.current === undefined && memory.past.length === 0;
  return isFirst ? { ...memory, past: [{ replicas, untilMs: nowMs }] } : memory;
}

/** Notes what is recommended from now on; `undefined`: nothing, because the metrics are not known. The same as before changes nothing. */
export function withRecommendation(
  memory: AutoscalerMemory,
  replicas: number | undefined,
  nowMs: number,
): AutoscalerMemory {
  if (replicas === memory.current) return memory;
  const { current, ...rest } = memory;
  const ended = current === undefined ? [] : [{ replicas: current, untilMs: nowMs }];
  return {
    ...rest,
    past: withoutDominated([...memory.past, ...ended], replicas, nowMs),
    ...(replicas !== undefined && { current: replicas }),
  };
}

/** Drops what no window can show any more: what is too old, and what lies between a later recommendation that is as high and a later one that is as low. */
function withoutDominated(
  past: AutoscalerMemory['past'],
  current: number | undefined,
  nowMs: number,
): AutoscalerMemory['past'] {
  const recent = past.filter(({ untilMs }) => untilMs > nowMs - LONGEST_WINDOW_MS);
  return recent.filter(({ replicas }, nth) => {
    const later = [...recent.slice(nth + 1).map((one) => one.replicas), ...(current === undefined ? [] : [current])];
    return !(later.some((one) => one >= replicas) && later.some((one) => one <= replicas));
  });
}

/** Notes a change of the replicas. Changes that no period can contain any more are dropped. */
export function withScaleEvent(memory: AutoscalerMemory, event: ScaleEvent, nowMs: number): AutoscalerMemory {
  const recent = memory.events.filter(({ atMs }) => atMs > nowMs - LONGEST_PERIOD_MS);
  return { ...memory, events: [...recent, event] };
}

/**
 * Returns how many replicas there were at the beginning of a period that ends now, if nobody else changed them: Kubernetes' `periodStartReplicas`. A change of which nobody knows whether it was made counts against `direction`,
 * and for neither other purpose: so no rate is exceeded, whether it was made or not.
 */
export function periodStartReplicas(
  { events }: AutoscalerMemory,
  currentReplicas: number,
  {
    periodMs,
    direction,
    nowMs,
  }: { readonly periodMs: number; readonly direction: 'up' | 'down'; readonly nowMs: number },
): number {
  const counted = events.filter(({ atMs, change, isUncertain }) => {
    const isOfDirection = direction === 'up' ? change > 0 : change < 0;
    return atMs > nowMs - periodMs && (isUncertain !== true || isOfDirection);
  });
  return counted.reduce((replicas, { change }) => replicas - change, currentReplicas);
}
