/** What a client says of the trace to which its request belongs. The ids are W3C's: 32 and 16 hexadecimal digits. */
export interface IncomingTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Version, trace, parent, flags. A later version may have more after the flags: https://www.w3.org/TR/trace-context/#versioning-of-traceparent. */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?$/;
const NOTHING = /^0+$/;

/** Reads `traceparent`, or else `X-Amzn-Trace-Id`, which load balancers and API Gateway add; `undefined` if neither names a trace. Pure. */
export function readIncomingTrace(headers: Pick<Headers, 'get'>): IncomingTrace | undefined {
  return parseTraceparent(headers.get('traceparent')) ?? parseAmazonTrace(headers.get('x-amzn-trace-id'));
}

function parseTraceparent(header: string | null): IncomingTrace | undefined {
  const { version, trace = '', span = '', flags = '', rest } = TRACEPARENT.exec(header?.trim() ?? '')?.groups ?? {};
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  return named(trace, span, (Number.parseInt(flags, 16) & 1) === 1);
}

/** `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1`: https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader. */
function parseAmazonTrace(header: string | null): IncomingTrace | undefined {
  const fields = new Map(
    (header ?? '').split(';').map((field) => {
      const [name = '', value = ''] = field.trim().split('=');
      return [name, value] as const;
    }),
  );
  const { seconds = '', rest = '' } =
    /^1-(?<seconds>[0-9a-f]{8})-(?<rest>[0-9a-f]{24})$/.exec(fields.get('Root') ?? '')?.groups ?? {};
  const span = fields.get('Parent') ?? '';
  return /^[0-9a-f]{16}$/.test(span) ? named(seconds + rest, span, fields.get('Sampled') === '1') : undefined;
}

function named(traceId: string, spanId: string, isSampled: boolean): IncomingTrace | undefined {
  return NOTHING.test(traceId) || NOTHING.test(spanId) || traceId === '' ? undefined : { traceId, spanId, isSampled };
}
