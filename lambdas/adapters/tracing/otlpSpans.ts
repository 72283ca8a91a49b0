import type { Span } from '../../ports/Tracing.ts';

/** OTLP's `SpanKind`. */
const KINDS: Readonly<Record<Span['part'], number>> = {
  api: 2,
  sync: 5,
  stream: 1,
  writer: 1,
  pacer: 1,
  queue: 1,
  lock: 1,
};
const STATUS_ERROR = 2;

/**
 * Returns spans as the body of OTLP's `ExportTraceServiceRequest`, in JSON: ids in hexadecimal, times in nanoseconds as text, enumerations as numbers (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Pure.
 */
export function otlpSpans(spans: readonly Span[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute('service.name', 'driftless')] },
        scopeSpans: [{ scope: { name: 'driftless' }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

function otlpSpan({ part, name, traceId, spanId, parentSpanId, links = [], startMs, endMs, attributes, error }: Span) {
  const described = { 'driftless.part': part, ...attributes };
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: KINDS[part],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: Object.entries(described).map(([key, value]) => attribute(key, value)),
    links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    status: error === undefined ? {} : { code: STATUS_ERROR, message: error },
  };
}

function attribute(key: string, value: string | number): object {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}
