import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from '../../ports/TraceContext.ts';
import type { Span, SpanSink, Tracing } from '../../ports/Tracing.ts';

/** The traces of one process. Node carries the context of a piece of work along with all that the work awaits or starts. */
export class AsyncTracing implements Tracing {
  readonly sampleRate: number;
  readonly #contexts = new AsyncLocalStorage<TraceContext | undefined>();
  readonly #sink: SpanSink;

  constructor(sampleRate: number, sink: SpanSink) {
    this.sampleRate = sampleRate;
    this.#sink = sink;
  }

  current(): TraceContext | undefined {
    return this.#contexts.getStore();
  }

  run<T>(context: TraceContext | undefined, work: () => T): T {
    return this.#contexts.run(context, work);
  }

  add(span: Span): void {
    this.#sink.add(span);
  }

  flush(): Promise<void> {
    return this.#sink.flush();
  }
}
