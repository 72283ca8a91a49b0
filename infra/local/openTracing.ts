import { AsyncTracing } from '../../lambdas/adapters/tracing/AsyncTracing.ts';
import { OtlpExporter } from '../../lambdas/adapters/tracing/OtlpExporter.ts';
import { SystemClock } from '../../lambdas/adapters/clocks/SystemClock.ts';
import type { Tracing } from '../../lambdas/ports/Tracing.ts';
import type { Log } from './createHandlers.ts';

/** What the command line says about traces. */
export interface TracingSettings {
  /** Where a collector takes OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: string;
  /** The share of writes of which a trace begins here: 0 to 1. */
  readonly sampleRate: number;
}

/** Opens the traces of a server, whose spans go to a collector. It need not be there yet. */
export function openTracing({ endpoint, sampleRate }: TracingSettings, report: Log): Tracing {
  // Spans are sent by the machine's clock, also where a test moves the server's.
  return new AsyncTracing(
    sampleRate,
    new OtlpExporter({ endpoint: new URL(endpoint), clock: new SystemClock(), report }),
  );
}
