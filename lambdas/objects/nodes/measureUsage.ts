import type { Pod } from '../kinds.ts';
import { formatQuantity } from '../quantities/quantity.ts';
import type { ContainerUsage, Usage } from '../simulated/simulatedUsage.ts';
import { type NodeSample, podPlace, type UsagePoint } from './parseResourceMetrics.ts';

/** The newest measurement of a node or a container, and one before it since the same start. */
interface Points {
  readonly latest: UsagePoint;
  readonly before?: UsagePoint | undefined;
}

/** The measurements of a node and of its pods' containers, named as in `NodeSample`. */
export interface NodePoints {
  readonly node?: Points | undefined;
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, Points>>;
}

/** What was used on average in the window before the time of measurement. */
export interface MeasuredUsage {
  readonly usage: Usage;
  readonly timestampMs: number;
  readonly windowMs: number;
}

/** How often metrics-server asks each kubelet. */
export const RESOLUTION_MS = 15_000;
/** A container that has run for less says too little. metrics-server's number. */
const MIN_FRESH_MS = 10_000;
/** What was used over a longer time does not say what is used now. */
export const MAX_WINDOW_MS = 300_000;

const NANOS = 1_000_000_000;

/** Returns what is known of the node after one more sample. What the sample lacks is forgotten. Pure. */
export function addSample(known: NodePoints | undefined, { node, pods }: NodeSample): NodePoints {
  return {
    node: node && addPoint(known?.node, node),
    pods: new Map(
      [...pods].map(([place, containers]) => {
        const before = known?.pods.get(place);
        return [place, new Map([...containers].map(([name, point]) => [name, addPoint(before?.get(name), point)]))];
      }),
    ),
  };
}

/** metrics-server's rules: counters that began anew are not compared, and an answer with the same times changes nothing. */
function addPoint(known: Points | undefined, latest: UsagePoint): Points {
  const fresh = startOfFresh(latest);
  if (fresh) return { latest, before: fresh };
  if (!known || hasRestarted(known.latest, latest)) return { latest };
  if (latest.timestampMs > known.latest.timestampMs) return { latest, before: known.latest };
  return { latest, before: known.before };
}

/** A container that started since the last time is compared with its start, when it had used nothing. */
function startOfFresh(latest: UsagePoint): UsagePoint | undefined {
  const { startTimeMs, timestampMs } = latest;
  if (startTimeMs === undefined) return undefined;
  const ageMs = timestampMs - startTimeMs;
  return ageMs >= MIN_FRESH_MS && ageMs < RESOLUTION_MS
    ? { ...latest, timestampMs: startTimeMs, cpuSeconds: 0 }
    : undefined;
}

function hasRestarted(before: UsagePoint, latest: UsagePoint): boolean {
  const startedLater = latest.startTimeMs !== undefined && latest.startTimeMs >= before.timestampMs;
  return startedLater || latest.cpuSeconds < before.cpuSeconds;
}

/** Returns what the node uses; `undefined` while that is not known. Pure. */
export function usageOfNode({ node }: NodePoints): MeasuredUsage | undefined {
  return node && usageOf(node);
}

/** Returns what the containers of the pod use, in the order of its spec; `undefined` unless it is known of each container that runs. The oldest measurement tells the time. Pure. */
export function usageOfPod(
  { pods }: NodePoints,
  { metadata, spec }: Pod,
): (Omit<MeasuredUsage, 'usage'> & { readonly containers: readonly ContainerUsage[] }) | undefined {
  const points = pods.get(podPlace(metadata.namespace ?? '', metadata.name));
  if (!points) return undefined;
  const names = [spec?.initContainers, spec?.containers, spec?.ephemeralContainers].flatMap((list) => list ?? []);
  const measured = names.flatMap(({ name }) => {
    const found = points.get(name);
    return found ? [{ name, measured: usageOf(found) }] : [];
  });
  const known = measured.flatMap((one) => (one.measured ? [{ name: one.name, ...one.measured }] : []));
  const oldest = known.toSorted((a, b) => a.timestampMs - b.timestampMs)[0];
  if (!oldest || known.length < measured.length) return undefined;
  const { timestampMs, windowMs } = oldest;
  return { timestampMs, windowMs, containers: known.map(({ name, usage }) => ({ name, usage })) };
}

/** For example 12 s of CPU in 60 s are 200m. */
function usageOf({ latest, before }: Points): MeasuredUsage | undefined {
  if (!before) return undefined;
  const windowMs = latest.timestampMs - before.timestampMs;
  const cpuSeconds = latest.cpuSeconds - before.cpuSeconds;
  if (windowMs <= 0 || windowMs > MAX_WINDOW_MS || cpuSeconds < 0) return undefined;
  const cpu = BigInt(Math.floor((cpuSeconds * NANOS * 1_000) / windowMs));
  const bytes = BigInt(Math.floor(latest.memoryBytes));
  return {
    usage: {
      cpu: formatQuantity({ nanos: cpu, format: 'DecimalSI' }),
      memory: formatQuantity({ nanos: bytes * BigInt(NANOS), format: 'BinarySI' }),
    },
    timestampMs: latest.timestampMs,
    windowMs,
  };
}
