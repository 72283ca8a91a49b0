import type { ChangeWaits } from '../../ports/ChangeWaits.ts';
import type { Ids } from '../../ports/Ids.ts';
import type { KeyItem } from '../../ports/KeyLocks.ts';
import { isTraced, type KeyTrace, newSpanId, type TraceContext } from '../../ports/TraceContext.ts';
import type { Span, TracedPart } from '../../ports/Tracing.ts';
import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

/** The trace to which a sync belongs. */
export interface SyncTrace {
  /** The sync's own place in the trace: what it writes comes from here. */
  readonly context: TraceContext;
  /** The write that has waited longest for the sync, or the wake-up. */
  readonly cause: KeyTrace;
  /** Of the message that named the cause; by the queue's clock. */
  readonly message: Pick<ReceivedMessage, 'dueAtMs' | 'receivedAtMs'>;
  /** Other traces whose writes the sync reads. */
  readonly links: readonly KeyTrace[];
}

/**
 * Decides to which trace the sync for these messages belongs; `undefined`: to none. One sync answers many writes, so they cannot all be its parent: it goes on with the trace of the write that came first, and the others are links. A
 * write comes before a wake-up. Pure but for the id that it draws.
 */
export function chooseSyncTrace(
  messages: readonly ReceivedMessage[],
  nowMs: number,
  ids: Pick<Ids, 'uid'>,
): SyncTrace | undefined {
  const named = messages.flatMap((message) => (message.traces ?? []).map((cause) => ({ cause, message })));
  const [first, ...others] = named.filter(({ cause }) => isTraced(cause, nowMs)).sort(byCause);
  if (!first) return undefined;
  const { traceId, sinceMs } = first.cause;
  const links = others.map(({ cause }) => cause).filter((cause) => cause.traceId !== traceId);
  return { ...first, context: { traceId, sinceMs, spanId: newSpanId(ids) }, links };
}

function byCause({ cause: a }: { readonly cause: KeyTrace }, { cause: b }: { readonly cause: KeyTrace }): number {
  return Number(a.via === 'wakeUp') - Number(b.via === 'wakeUp') || a.writtenAtMs - b.writtenAtMs;
}

/** The moments on the way of a key to the end of its sync; milliseconds since the epoch, each by the clock of who took part. */
export interface Moments {
  readonly writtenAtMs: number;
  readonly seenAtMs: number;
  readonly dueAtMs: number;
  readonly receivedAtMs: number;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Returns the moments of a sync in their order. Their clocks differ, so a moment may seem to be before the one that it follows; then it counts as the same. So no wait is below zero, and all together are at most the whole time, or what clocks
 * differ longer. `queueAheadMs`: by how much the queue's clock is ahead of the time of day. Pure.
 */
export function momentsOf(
  { cause, message }: Pick<SyncTrace, 'cause' | 'message'>,
  { beganAtMs, endedAtMs }: Pick<Moments, 'beganAtMs' | 'endedAtMs'>,
  queueAheadMs: number,
): Moments {
  const seenAtMs = Math.max(cause.writtenAtMs, cause.seenAtMs);
  const dueAtMs = Math.max(seenAtMs, message.dueAtMs - queueAheadMs);
  const receivedAtMs = Math.max(dueAtMs, message.receivedAtMs - queueAheadMs);
  const laterBeganAtMs = Math.max(receivedAtMs, beganAtMs);
  const syncMs = Math.max(0, endedAtMs - beganAtMs);
  return {
    writtenAtMs: cause.writtenAtMs,
    seenAtMs,
    dueAtMs,
    receivedAtMs,
    beganAtMs: laterBeganAtMs,
    endedAtMs: laterBeganAtMs + syncMs,
  };
}

/** Returns what the sync's cause has waited for; `undefined` for a wake-up, which no change is. Pure. */
export function waitsOf({ cause }: Pick<SyncTrace, 'cause'>, moments: Moments): ChangeWaits | undefined {
  const { traceId, via } = cause;
  if (via === 'wakeUp') return undefined;
  const { writtenAtMs, seenAtMs, dueAtMs, receivedAtMs, beganAtMs, endedAtMs } = moments;
  return {
    traceId,
    writtenAtMs,
    via,
    noticeMs: seenAtMs - writtenAtMs,
    heldMs: dueAtMs - seenAtMs,
    queueMs: receivedAtMs - dueAtMs,
    lockMs: beganAtMs - receivedAtMs,
    syncMs: endedAtMs - beganAtMs,
  };
}

/** False for a change that an earlier sync of the key was sent for, or for an older one: the stream repeats what writers have sent, and a repetition has waited for nothing that matters. Pure. */
export function isNewChange(
  { cause, writtenAtMs }: KeyTrace,
  { seen, waited }: Pick<KeyItem, 'seen' | 'waited'>,
): boolean {
  if (cause !== undefined && seen?.has(cause)) return false;
  return waited === undefined || writtenAtMs > waited.writtenAtMs;
}

/** Returns the spans of a sync and of what came before it: one for each wait of a millisecond or more. A wake-up waits for its time because it should, so that is no span. */
export function spansOf(
  { context, cause, links }: SyncTrace,
  { writtenAtMs, seenAtMs, dueAtMs, receivedAtMs, beganAtMs, endedAtMs }: Moments,
  sync: Pick<Span, 'name' | 'attributes' | 'error'>,
  ids: Pick<Ids, 'uid'>,
): readonly Span[] {
  const { traceId } = context;
  const waits: readonly (readonly [TracedPart, name: string, startMs: number, endMs: number])[] = [
    ...(cause.via === 'wakeUp'
      ? []
      : ([
          [cause.via, cause.via === 'stream' ? 'wait for the stream' : 'note the change', writtenAtMs, seenAtMs],
          ['pacer', 'send the key', seenAtMs, dueAtMs],
        ] as const)),
    ['queue', 'wait in the queue', dueAtMs, receivedAtMs],
    ['lock', 'wait for the lock', receivedAtMs, beganAtMs],
  ];
  const waiting = waits
    .filter(([, , startMs, endMs]) => endMs - startMs >= 1)
    .map(([part, name, startMs, endMs]) => {
      const { attributes } = sync;
      return { part, name, traceId, spanId: newSpanId(ids), parentSpanId: cause.spanId, startMs, endMs, attributes };
    });
  const own = { part: 'sync', traceId, spanId: context.spanId, parentSpanId: cause.spanId } as const;
  return [...waiting, { ...sync, ...own, links, startMs: beganAtMs, endMs: endedAtMs }];
}

/** Returns what a wake-up's message carries, so that its sync belongs to the same trace; nothing if the trace is over by then. Pure. */
export function wakeUpTraces(trace: SyncTrace | undefined, nowMs: number, delayMs: number): readonly KeyTrace[] {
  if (!trace || !isTraced(trace.context, nowMs + delayMs)) return [];
  return [{ ...trace.context, writtenAtMs: nowMs, seenAtMs: nowMs, via: 'wakeUp' }];
}
