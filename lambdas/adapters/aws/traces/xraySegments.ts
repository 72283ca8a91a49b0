import type { Span } from '../../../ports/Tracing.ts';

/** The most documents of one PutTraceSegments: as many as X-Ray's daemon sends. */
export const MAX_DOCUMENTS = 50;
const MAX_TEXT = 2_000;

/**
 * Returns a span as a segment document of X-Ray: https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html. Each part of Driftless is a node of the service map. What describes a span is metadata: X-Ray indexes
 * 50 annotations of a trace, and a rollout has more spans. Pure.
 */
export function xraySegment(span: Span): string {
  const { part, name, traceId, spanId, parentSpanId, links = [], startMs, endMs, attributes, error } = span;
  return JSON.stringify({
    name: `driftless-${part}`,
    id: spanId,
    trace_id: xrayTraceId(traceId),
    ...(parentSpanId !== undefined && { parent_id: parentSpanId }),
    start_time: startMs / 1000,
    end_time: endMs / 1000,
    ...(error !== undefined && { fault: true }),
    metadata: {
      driftless: {
        name,
        ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, cut(value)])),
        ...(links.length > 0 && { links: links.map((link) => xrayTraceId(link.traceId)) }),
        ...(error !== undefined && { error: cut(error) }),
      },
    },
  });
}

/** X-Ray takes W3C's ids, written as its own: https://docs.aws.amazon.com/xray/latest/api/API_PutTraceSegments.html. */
function xrayTraceId(traceId: string): string {
  return `1-${traceId.slice(0, 8)}-${traceId.slice(8)}`;
}

/** A document may have 64 KB. */
function cut(value: string | number): string | number {
  return typeof value === 'number' ? value : value.slice(0, MAX_TEXT);
}
