/** What a kubelet said of its node, or of one container, at one time. */
export interface UsagePoint {
  readonly timestampMs: number;
  /** All the CPU time that was used since the start. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** When the container started; absent for a node. */
  readonly startTimeMs?: number;
}

/** One answer of a kubelet. Containers by their names, by the pods that `podPlace` names. What was not measured completely is not in it. */
export interface NodeSample {
  readonly node?: UsagePoint;
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, UsagePoint>>;
}

export type ParsedMetrics =
  | { readonly status: 'parsed'; readonly sample: NodeSample }
  /** `why` names the line. */
  | { readonly status: 'malformed'; readonly why: string };

/** The most containers that are read of one node. A kubelet runs 110 pods unless it is told otherwise. */
export const MAX_CONTAINERS = 5_000;
/** Three names and a number fit into it several times. */
const MAX_LINE_CHARACTERS = 10_000;
/** What a Quantity holds. */
const MAX_VALUE = 2 ** 63;

type Draft = { -readonly [Field in keyof UsagePoint]?: UsagePoint[Field] };
type Labels = Readonly<Record<string, string>>;

interface Series {
  readonly of: 'node' | 'container';
  readonly field: 'cpuSeconds' | 'memoryBytes' | 'startTimeMs';
  readonly factor?: number;
}

/** The series that are read; all others are skipped. */
const SERIES = new Map<string, Series>([
  ['node_cpu_usage_seconds_total', { of: 'node', field: 'cpuSeconds' }],
  ['node_memory_working_set_bytes', { of: 'node', field: 'memoryBytes' }],
  ['container_cpu_usage_seconds_total', { of: 'container', field: 'cpuSeconds' }],
  ['container_memory_working_set_bytes', { of: 'container', field: 'memoryBytes' }],
  ['container_start_time_seconds', { of: 'container', field: 'startTimeMs', factor: 1_000 }],
]);

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
/** What follows the name: labels, a number that is not below zero, and perhaps the time in milliseconds. */
const REST = /^(?:\{(.*)\})?[ \t]+\+?(\d+\.?\d*(?:[eE][+-]?\d+)?)(?:[ \t]+(\d{1,15}))?[ \t]*$/;
const LABEL = /[ \t]*([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*"((?:[^"\\]|\\[\\n"])*)"[ \t]*(?:,[ \t]*|$)/y;

/** Names a pod in a `NodeSample`. */
export function podPlace(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/**
 * Parses what a kubelet answers at `/metrics/resource`, in Prometheus' text format, as metrics-server does. A series without a time was measured at `scrapedAtMs`. A pod is left out if one of its containers lacks CPU or memory, and a
 * node likewise; 0 counts as not measured. One line that cannot be read makes the whole answer malformed. Pure.
 */
export function parseResourceMetrics(text: string, scrapedAtMs: number): ParsedMetrics {
  const drafts = new SampleDraft(scrapedAtMs);
  for (const [index, line] of text.split('\n').entries()) {
    const why = drafts.take(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (why !== undefined) return { status: 'malformed', why: `line ${index + 1}: ${why}` };
  }
  return { status: 'parsed', sample: drafts.complete() };
}

class SampleDraft {
  readonly #scrapedAtMs: number;
  readonly #node: Draft = {};
  readonly #pods = new Map<string, Map<string, Draft>>();
  #containers = 0;

  constructor(scrapedAtMs: number) {
    this.#scrapedAtMs = scrapedAtMs;
  }

  /** Returns why the line cannot be read. */
  take(line: string): string | undefined {
    const name = NAME.exec(line)?.[0] ?? '';
    const series = SERIES.get(name);
    if (!series) return undefined;
    if (line.length > MAX_LINE_CHARACTERS) return `longer than ${MAX_LINE_CHARACTERS} characters`;
    const [whole, labelText = '', number, time] = REST.exec(line.slice(name.length)) ?? [];
    const labels = parseLabels(labelText);
    const value = Number(number) * (series.factor ?? 1);
    if (whole === undefined || !labels || !(value < MAX_VALUE)) return `not a series of ${name}`;
    const draft = series.of === 'node' ? this.#node : this.#containerOf(labels);
    if (typeof draft === 'string') return draft;
    draft[series.field] = value;
    if (series.field !== 'startTimeMs') draft.timestampMs = time === undefined ? this.#scrapedAtMs : Number(time);
    return undefined;
  }

  complete(): NodeSample {
    const pods = [...this.#pods].flatMap(([place, containers]) => {
      const points = [...containers].map(([name, draft]) => [name, completed(draft)] as const);
      const known = points.filter((point): point is [string, UsagePoint] => point[1] !== undefined);
      return known.length < points.length ? [] : [[place, new Map(known)] as const];
    });
    const node = completed(this.#node);
    return { ...(node && { node }), pods: new Map(pods) };
  }

  #containerOf({ namespace, pod, container }: Labels): Draft | string {
    if (!namespace || !pod || !container) return 'a container without namespace, pod and container';
    const place = podPlace(namespace, pod);
    const containers = this.#pods.get(place) ?? new Map<string, Draft>();
    this.#pods.set(place, containers);
    const known = containers.get(container);
    if (known) return known;
    this.#containers += 1;
    if (this.#containers > MAX_CONTAINERS) return `more than ${MAX_CONTAINERS} containers`;
    const draft = {};
    containers.set(container, draft);
    return draft;
  }
}

function completed({ timestampMs, cpuSeconds, memoryBytes, startTimeMs }: Draft): UsagePoint | undefined {
  if (timestampMs === undefined || !cpuSeconds || !memoryBytes) return undefined;
  return { timestampMs, cpuSeconds, memoryBytes, ...(startTimeMs !== undefined && { startTimeMs }) };
}

/** Returns `undefined` for what are no labels. */
function parseLabels(text: string): Labels | undefined {
  const labels: [string, string][] = [];
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined) return undefined;
    labels.push([name, value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))]);
  }
  return Object.fromEntries(labels);
}
