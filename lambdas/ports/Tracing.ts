import type { TraceContext } from './TraceContext.ts';

/** The parts of Driftless on the way of a change, each of which takes some of its time. */
export type TracedPart =
  /** A request to the API. */
  | 'api'
  /** From a write until `enqueue` has it from the table's stream. */
  | 'stream'
  /** From a write until the process that made it sends its keys. */
  | 'writer'
  /** From then until the key's message may be received: the request that sends it, and the pacer's delay. */
  | 'pacer'
  /** From then until a worker has received it. */
  | 'queue'
  /** From then until the sync begins: the key's lock, other syncs of the key, and failures. */
  | 'lock'
  | 'sync';

/** A piece of work, or of waiting, that has ended. Times in milliseconds since the epoch. */
export interface Span {
  readonly part: TracedPart;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent: the first of its trace. */
  readonly parentSpanId?: string | undefined;
  /** Other traces that this work also belongs to. */
  readonly links?: readonly Pick<TraceContext, 'traceId' | 'spanId'>[] | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Why it has failed. */
  readonly error?: string | undefined;
}

/** Takes spans to where people look at them. Neither method throws: what cannot be taken is lost, and said in the log. */
export interface SpanSink {
  add(span: Span): void;
  /** Resolves when what was added is sent, or given up. A function awaits this at its end: afterwards it stands still. */
  flush(): Promise<void>;
}

/**
 * What is known of the trace of the work under way. Only sampled work has one: where nothing is sampled, there is no context, and nothing is stored or sent.
 */
export interface Tracing extends SpanSink {
  /** The share of requests of which the traces begin here: 0 to 1. */
  readonly sampleRate: number;
  /** The context of the work that calls this. Absent: it belongs to no trace. */
  current(): TraceContext | undefined;
  /** Does the work in this context, and in no other one: `undefined` for work that belongs to no trace. */
  run<T>(context: TraceContext | undefined, work: () => T): T;
}
