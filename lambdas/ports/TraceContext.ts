import type { Ids } from './Ids.ts';

/** A place in a sampled trace: what is caused by it is a child of the span. The ids are those of W3C's Trace Context. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** When the trace began; milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** The context in which an object was written. `writtenAtMs`: when its writer sent the write, by the writer's clock. */
export interface WriteTrace extends TraceContext {
  readonly writtenAtMs: number;
}

/**
 * For which write a key was sent. `seenAtMs`: when its sender knew of the write, by the sender's clock. `via`: the sender is `enqueue`, which has the write from the stream, or the writer itself. Of a `wakeUp`, which no write causes,
 * both times say when it was asked for.
 */
export interface KeyTrace extends WriteTrace {
  readonly seenAtMs: number;
  readonly via: 'stream' | 'writer' | 'wakeUp';
  /** The change that the write made, as `causeOf` names it. A wake-up has none. */
  readonly cause?: string;
}

/** How long a trace goes on. Kubernetes gives a rollout ten minutes to make progress; what a key is woken for after that, such as the next run of a CronJob, belongs to no request any more. */
const MAX_TRACE_MS = 600_000;
/** The fields of a write's trace. */
const WRITE_PARTS = 4;
/** How many traces a message names. */
const MAX_TRACES = 3;

/** False once the trace has gone on for too long. Pure. */
export function isTraced({ sinceMs }: TraceContext, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) <= MAX_TRACE_MS;
}

/** Returns the id of a new trace. Its first eight digits are the time in seconds, as X-Ray's own ids have it. */
export function newTraceId(ids: Pick<Ids, 'uid'>, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000) % 2 ** 32;
  return seconds.toString(16).padStart(8, '0') + digitsOf(ids).slice(8);
}

export function newSpanId(ids: Pick<Ids, 'uid'>): string {
  return digitsOf(ids).slice(0, 16);
}

function digitsOf(ids: Pick<Ids, 'uid'>): string {
  return ids.uid().replaceAll('-', '');
}

/** Returns the traces of both, one for each id: that of the write that came first, and so has waited longest. At most three, the oldest first. Pure. */
export function joinTraces(some: readonly KeyTrace[] = [], others: readonly KeyTrace[] = []): readonly KeyTrace[] {
  if (others.length === 0) return some;
  const byId = new Map<string, KeyTrace>();
  for (const trace of [...some, ...others]) {
    const known = byId.get(trace.traceId);
    if (!known || isBefore(trace, known)) byId.set(trace.traceId, trace);
  }
  return [...byId.values()].sort((a, b) => a.writtenAtMs - b.writtenAtMs).slice(0, MAX_TRACES);
}

/** A write comes before a wake-up, of which nobody asks how long it has waited. */
function isBefore(trace: KeyTrace, known: KeyTrace): boolean {
  if ((trace.via === 'wakeUp') !== (known.via === 'wakeUp')) return known.via === 'wakeUp';
  return trace.writtenAtMs < known.writtenAtMs;
}

/** Returns the trace of a write as text; `decodeWriteTrace` reads it. Pure. */
export function encodeWriteTrace({ traceId, spanId, sinceMs, writtenAtMs }: WriteTrace): string {
  return [traceId, spanId, toText(sinceMs), toText(writtenAtMs)].join('-');
}

/** Returns the traces of a key as text, of some 100 characters each; `undefined` if there are none. Pure. */
export function encodeKeyTraces(traces: readonly KeyTrace[] = []): string | undefined {
  if (traces.length === 0) return undefined;
  return traces.map(encodeKeyTrace).join(',');
}

/** The name of a change has no comma, but may have hyphens, so it stands last. */
function encodeKeyTrace({ seenAtMs, via, cause, ...write }: KeyTrace): string {
  return [encodeWriteTrace(write), toText(seenAtMs), via, ...(cause === undefined ? [] : [cause])].join('-');
}

/** `undefined` for a text that is none. Pure. */
export function decodeWriteTrace(text: string | undefined): WriteTrace | undefined {
  const parts = text?.split('-') ?? [];
  return parts.length === WRITE_PARTS ? parseWrite(parts) : undefined;
}

/** Leaves out what it cannot read, such as what a later release may write. Pure. */
export function decodeKeyTraces(text: string | undefined): readonly KeyTrace[] {
  return (text ?? '').split(',').flatMap((one) => {
    const parts = one.split('-');
    const [seen = '', via = '', ...named] = parts.slice(WRITE_PARTS);
    const write = parseWrite(parts.slice(0, WRITE_PARTS));
    const seenAtMs = fromText(seen);
    if (!write || !isVia(via) || seenAtMs === undefined) return [];
    return [{ ...write, seenAtMs, via, ...(named.length > 0 && { cause: named.join('-') }) }];
  });
}

function parseWrite(parts: readonly string[]): WriteTrace | undefined {
  const [traceId = '', spanId = '', since = '', written = ''] = parts;
  const [sinceMs, writtenAtMs] = [fromText(since), fromText(written)];
  if (parts.length !== WRITE_PARTS || !/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId))
    return undefined;
  return sinceMs === undefined || writtenAtMs === undefined ? undefined : { traceId, spanId, sinceMs, writtenAtMs };
}

const VIAS: readonly string[] = ['stream', 'writer', 'wakeUp'] satisfies readonly KeyTrace['via'][];

function isVia(text: string): text is KeyTrace['via'] {
  return VIAS.includes(text);
}

/** Whole milliseconds, with fewer characters. */
function toText(ms: number): string {
  return Math.max(0, Math.round(ms)).toString(36);
}

function fromText(text: string): number | undefined {
  return /^[0-9a-z]{1,10}$/.test(text) ? Number.parseInt(text, 36) : undefined;
}
