/**
 * What a change has waited for until a sync read it, by the clocks of those who took part: see `TracedPart` in Tracing.ts. The waiting and the sync together are the time from the write to the sync's end, but for clocks that
 * differ. Milliseconds.
 */
export interface ChangeWaits {
  readonly traceId: string;
  /** Since the epoch. */
  readonly writtenAtMs: number;
  /** Who sent the key first: `enqueue`, after the stream, or the writer itself. */
  readonly via: 'stream' | 'writer';
  /** Until the sender knew of the change. */
  readonly noticeMs: number;
  /** Until the message could be received. */
  readonly heldMs: number;
  readonly queueMs: number;
  readonly lockMs: number;
  /** The sync itself. */
  readonly syncMs: number;
}

const TIMES = ['noticeMs', 'heldMs', 'queueMs', 'lockMs', 'syncMs'] as const;

/** Returns the waits as text, of some 60 characters; `decodeWaits` reads it. Pure. */
export function encodeWaits(waits: ChangeWaits): string {
  return [waits.traceId, waits.writtenAtMs, waits.via, ...TIMES.map((name) => Math.round(waits[name]))].join(' ');
}

/** `undefined` for a text that is none, such as what a later release may write. Pure. */
export function decodeWaits(text: string | undefined): ChangeWaits | undefined {
  const [traceId = '', written = '', via = '', ...times] = text?.split(' ') ?? [];
  const numbers = [written, ...times].map((number) => (/^\d{1,15}$/.test(number) ? Number(number) : Number.NaN));
  const [writtenAtMs = 0, ...[noticeMs = 0, heldMs = 0, queueMs = 0, lockMs = 0, syncMs = 0]] = numbers;
  if (times.length !== TIMES.length || numbers.some(Number.isNaN)) return undefined;
  if (traceId === '' || (via !== 'stream' && via !== 'writer')) return undefined;
  return { traceId, writtenAtMs, via, noticeMs, heldMs, queueMs, lockMs, syncMs };
}
