import { type Clock, timeSince, momentOf } from '../../../ports/Clock.ts';
import type { Span, SpanSink } from '../../../ports/Tracing.ts';
import type { XRayClient } from './XRayClient.ts';
import { MAX_DOCUMENTS, xraySegment } from './xraySegments.ts';

export interface XRaySpansOptions {
  readonly client: Pick<XRayClient, 'call'>;
  readonly clock: Clock;
  /** Receives a line when spans are lost. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

/** The spans of one request, or of the syncs of one batch, go together. */
const LINGER_MS = 100;
/** What comes while X-Ray does not answer waits in memory, as much as this. */
const MAX_WAITING = 2_000;
/** A function waits for X-Ray at its end, but not for long: then what is left is lost. */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Sends spans to X-Ray by its API (`PutTraceSegments`), signed as the audit log's calls are. Neither a layer nor the SDK's client nor X-Ray's daemon is needed, so functions and the container do the same. Nothing is tried twice: a
 * span is not worth the time of an invocation.
 */
export class XRaySpans implements SpanSink {
  readonly #options: XRaySpansOptions;
  #waiting: Span[] = [];
  #sent: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(options: XRaySpansOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(span);
    if (this.#waiting.length === MAX_WAITING) this.#lose(0, 'X-Ray does not keep up; spans that come now are left out');
    this.#cancelTimer ??= this.#options.clock.setTimer(LINGER_MS, () => void this.flush());
  }

  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sent = this.#sent.then(() => this.#sendWaiting());
    return this.#sent;
  }

  async #sendWaiting(): Promise<void> {
    const began = momentOf(this.#options.clock);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_DOCUMENTS);
      const [, passedMs] = timeSince(this.#options.clock, began);
      try {
        if (passedMs >= ANSWER_TIMEOUT_MS) throw new Error('X-Ray takes too long');
        const unprocessed = await this.#put(batch.map(xraySegment), ANSWER_TIMEOUT_MS - passedMs);
        if (unprocessed.length > 0) this.#lose(unprocessed.length, JSON.stringify(unprocessed[0]));
      } catch (error) {
        this.#lose(batch.length, String(error));
      }
    }
  }

  /** Returns what X-Ray did not take, with its reasons. */
  async #put(TraceSegmentDocuments: readonly string[], timeoutMs: number): Promise<readonly object[]> {
    const answer = await this.#options.client.call('PutTraceSegments', { TraceSegmentDocuments }, timeoutMs);
    return answer.UnprocessedTraceSegments ?? [];
  }

  #lose(count: number, error: string): void {
    this.#options.report({ level: 'warn', msg: 'spans are lost', count, error });
  }
}
