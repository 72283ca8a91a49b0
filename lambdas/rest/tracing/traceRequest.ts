import { ApiError } from '../../objects/ApiError.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Ids } from '../../ports/Ids.ts';
import { newSpanId, newTraceId, type TraceContext } from '../../ports/TraceContext.ts';
import type { Tracing } from '../../ports/Tracing.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { RequestInfo } from '../request/RequestInfo.ts';
import { PageNotFoundError } from '../response/statusOf.ts';
import { decideRequestTrace, isTrusted, type RequestTraceDecision } from './decideRequestTrace.ts';
import { readIncomingTrace } from './IncomingTrace.ts';

interface TracedRequest {
  readonly raw: Request;
  readonly info: RequestInfo;
  readonly user: UserInfo | undefined;
  /** When it arrived; milliseconds since the epoch. */
  readonly beganMs: number;
  readonly auditId: string | undefined;
}

const READING_VERBS: readonly string[] = ['get', 'list', 'watch'];

/** Serves a request in the trace to which it belongs, if any, and records its span: until the answer is made or, of an answer that streams, its head. Rejects as `serve` does. */
export async function traceRequest(
  { tracing, clock, ids }: { readonly tracing?: Tracing | undefined; readonly clock: Clock; readonly ids: Ids },
  request: TracedRequest,
  serve: () => Promise<Response>,
): Promise<Response> {
  if (!tracing) return await serve();
  const decision = decideRequestTrace({
    incoming: readIncomingTrace(request.raw.headers),
    isTrusted: isTrusted(request.user),
    mayWrite: request.info.isResourceRequest && !READING_VERBS.includes(request.info.verb),
    sampleRate: tracing.sampleRate,
    drawn: ids.random(),
  });
  const context = contextOf(decision, request.beganMs, ids);
  if (!context) return await tracing.run(undefined, serve);
  const end = (status: number) =>
    tracing.add({
      part: 'api',
      name: spanName(request.info),
      traceId: context.traceId,
      spanId: context.spanId,
      ...(decision.trace === 'continued' && { parentSpanId: decision.incoming.spanId }),
      ...(decision.trace === 'begun' && decision.link && { links: [decision.link] }),
      startMs: request.beganMs,
      endMs: clock.now(),
      attributes: {
        'http.request.method': request.info.method,
        'url.path': request.info.path,
        'http.response.status_code': status,
        ...(request.auditId !== undefined && { 'audit-id': request.auditId }),
      },
      ...(status >= 500 && { error: `HTTP ${status}` }),
    });
  try {
    const response = await tracing.run(context, serve);
    end(response.status);
    return response;
  } catch (error) {
    end(statusOf(error));
    throw error;
  }
}

function statusOf(error: unknown): number {
  if (error instanceof PageNotFoundError) return 404;
  return error instanceof ApiError ? error.code : 500;
}

function contextOf(decision: RequestTraceDecision, nowMs: number, ids: Ids): TraceContext | undefined {
  if (decision.trace === 'none') return undefined;
  const traceId = decision.trace === 'continued' ? decision.incoming.traceId : newTraceId(ids, nowMs);
  return { traceId, spanId: newSpanId(ids), sinceMs: nowMs };
}

/** The name of the request's span, as kube-apiserver gives it: the path, without the names of objects. Pure. */
export function spanName(info: RequestInfo): string {
  if (!info.isResourceRequest) return info.method;
  const { group, version, namespace, resource, name, subresource } = info;
  const parts = [
    group === '' ? 'api' : `apis/${group}`,
    version,
    namespace !== '' && 'namespaces/{:namespace}',
    resource,
    name !== '' && '{:name}',
    subresource,
  ];
  return `${info.method} /${parts.filter(Boolean).join('/')}`;
}
