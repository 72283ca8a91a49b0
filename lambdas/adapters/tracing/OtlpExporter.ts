import type { Clock } from '../../ports/Clock.ts';
import type { Span, SpanSink } from '../../ports/Tracing.ts';
import { otlpSpans } from './otlpSpans.ts';

export interface OtlpExporterOptions {
  /** Where a collector takes OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: URL;
  readonly clock: Clock;
  /** Receives a line when spans begin to be lost, and none for those that follow. */
  readonly report: (line: Readonly<Record<string, unknown>>) => void;
}

/** OpenTelemetry's batch processor has these numbers by default: https://opentelemetry.io/docs/specs/otel/trace/sdk/#batching-processor. */
const LINGER_MS = 5_000;
const MAX_BATCH = 512;
const MAX_WAITING = 2_048;
/** A collector that does not answer for so long is given up. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Sends spans to an OpenTelemetry collector, as JSON over HTTP. Nothing waits for it: what does not fit into its queue, or is not taken, is lost. */
export class OtlpExporter implements SpanSink {
  readonly #options: OtlpExporterOptions;
  #waiting: Span[] = [];
  #cancelTimer: (() => void) | undefined;
  #sent: Promise<void> = Promise.resolve();
  #loses = false;

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) return this.#lose('the collector does not keep up');
    this.#waiting.push(span);
    if (this.#waiting.length >= MAX_BATCH) void this.flush();
    else this.#cancelTimer ??= this.#options.clock.setTimer(LINGER_MS, () => void this.flush());
  }

  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sent = this.#sent.then(() => this.#sendWaiting());
    return this.#sent;
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#send(batch);
        this.#loses = false;
      } catch (error) {
        this.#lose(String(error));
      }
    }
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const { endpoint, clock } = this.#options;
    const late = new AbortController();
    const cancel = clock.setTimer(ANSWER_TIMEOUT_MS, () => late.abort(new Error('the collector does not answer')));
    try {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(otlpSpans(spans));
      const response = await fetch(endpoint, { method: 'POST', headers, body, signal: late.signal });
      const text = await response.text();
      if (!response.ok) throw new Error(`the collector answers with ${response.status}: ${text.slice(0, 200)}`);
    } finally {
      cancel();
    }
  }

  #lose(error: string): void {
    if (!this.#loses) this.#options.report({ level: 'warn', msg: 'spans are lost', error });
    this.#loses = true;
  }
}
