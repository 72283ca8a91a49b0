import { readdirSync, readFileSync } from 'node:fs';

/** A request of a scenario. `<name>` stands for what was captured under that name, `<ns>` for the scenario's namespace. */
export interface Step {
  /** What it is about. */
  readonly do: string;
  /** GET by default, PATCH with `patch`. */
  readonly method?: string;
  readonly path: string;
  /** `null` leaves out a header that is sent by default. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly patch?: 'apply' | 'strategic' | 'merge' | 'json';
  /** Values of the answer that later steps use: their paths, by name. */
  readonly capture?: Readonly<Record<string, string>>;
  /** Repeats the request until the answer has this status, or this value at this path. */
  readonly until?: {
    readonly status?: number;
    readonly path?: string;
    readonly equals?: unknown;
    readonly withinMs: number;
  };
  /** Reads a stream for a while, and makes requests meanwhile. */
  readonly watch?: { readonly forMs: number; readonly meanwhile?: readonly Step[] };
  /** The paths of the answer that count; everything by default. */
  readonly keep?: readonly string[];
  /** What a newer Kubernetes is known to do otherwise, as the recorder noted it. Without `paths`, all of the answer. */
  readonly since?: { readonly version: string; readonly what: string; readonly paths?: readonly string[] };
  /** True if the items of the list have no order. */
  readonly sorted?: boolean;
  readonly pauseMs?: number;
}

/** An answer without what varies from run to run. */
export interface Answer {
  readonly status: number;
  readonly type?: string | undefined;
  readonly body?: unknown;
  readonly events?: readonly unknown[] | undefined;
  readonly warning?: string | undefined;
}

/** A scenario with what a real API server answered to each of its steps. */
export interface Recording {
  readonly name: string;
  readonly about: string;
  /** The version of the server: `1.20` for built-in kinds, `1.36` for custom resources. */
  readonly server: string;
  /** False for a scenario that needs no namespace. */
  readonly namespace?: boolean;
  readonly setup?: readonly Step[];
  readonly teardown?: readonly Step[];
  readonly steps: readonly (Step & { readonly answer: Answer })[];
}

const RECORDINGS = new URL('./recordings/', import.meta.url);

/**
 * Reads all recordings. A file has the scenario in its first line and one step, with its answer, in each other line. They were recorded from Kubernetes' kube-apiserver 1.20.2 and
 * apiextensions-apiserver 1.36.4, whose controllers left workloads alone.
 */
export function readRecordings(): Recording[] {
  return readdirSync(RECORDINGS)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map(readRecording);
}

function readRecording(file: string): Recording {
  const [head, ...steps] = readFileSync(new URL(file, RECORDINGS), 'utf8').trimEnd().split('\n');
  return {
    ...(JSON.parse(head ?? '') as Omit<Recording, 'steps'>),
    steps: steps.map((line) => JSON.parse(line) as Recording['steps'][number]),
  };
}
