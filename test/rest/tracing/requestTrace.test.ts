import { describe, expect, test } from 'vitest';
import { AsyncTracing } from '../../../lambdas/adapters/tracing/AsyncTracing.ts';
import type { Span } from '../../../lambdas/ports/Tracing.ts';
import { resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';
import { decideRequestTrace, isTrusted } from '../../../lambdas/rest/tracing/decideRequestTrace.ts';
import { readIncomingTrace } from '../../../lambdas/rest/tracing/IncomingTrace.ts';
import { spanName } from '../../../lambdas/rest/tracing/traceRequest.ts';
import { startApi } from '../startApi.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SAMPLED = { traceId: TRACE, spanId: SPAN, isSampled: true };

describe("a client's trace", () => {
  test.each<[string, Record<string, string>, object | undefined]>([
    ['is that of traceparent', { traceparent: `00-${TRACE}-${SPAN}-01` }, SAMPLED],
    ['is not sampled without the flag', { traceparent: `00-${TRACE}-${SPAN}-02` }, { ...SAMPLED, isSampled: false }],
    [
      'is read of a later version, whatever comes after the flags',
      { traceparent: `cc-${TRACE}-${SPAN}-01-x` },
      SAMPLED,
    ],
    [
      'is none in a text that is longer than its version allows',
      { traceparent: `00-${TRACE}-${SPAN}-01-x` },
      undefined,
    ],
    ['is none of version ff', { traceparent: `ff-${TRACE}-${SPAN}-01` }, undefined],
    ['is none of zeros', { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` }, undefined],
    ['has a parent that is not zeros', { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` }, undefined],
    ['is none in capitals', { traceparent: `00-${TRACE.toUpperCase()}-${SPAN}-01` }, undefined],
    [
      "is that of X-Ray's header",
      { 'x-amzn-trace-id': `Root=1-${TRACE.slice(0, 8)}-${TRACE.slice(8)};Parent=${SPAN};Sampled=1` },
      SAMPLED,
    ],
    [
      "of X-Ray's header is sampled only if it says so",
      { 'x-amzn-trace-id': `Self=x; Root=1-${TRACE.slice(0, 8)}-${TRACE.slice(8)}; Parent=${SPAN}; Sampled=?` },
      { ...SAMPLED, isSampled: false },
    ],
    [
      'is none without a parent, as load balancers begin it',
      { 'x-amzn-trace-id': `Root=1-${TRACE.slice(0, 8)}-${TRACE.slice(8)}` },
      undefined,
    ],
    ['is none without a header', {}, undefined],
  ])('%s', (_, headers, expected) => {
    expect(readIncomingTrace(new Headers(headers))).toEqual(expected);
  });

  test.each<[string, boolean, string[] | undefined]>([
    ['an administrator', true, ['system:masters']],
    ['monitoring', true, ['system:monitoring']],
    ['anyone else', false, ['system:authenticated']],
    ['anyone where nobody has a name', true, undefined],
  ])('of %s counts: %s', (_, counts, groups) => {
    expect(isTrusted(groups && { groups })).toBe(counts);
  });
});

describe('a request', () => {
  const unsampled = { ...SAMPLED, isSampled: false };
  const write = { incoming: undefined, isTrusted: true, mayWrite: true, sampleRate: 0.1, drawn: 0.05 };
  test.each([
    ['begins a trace at the rate', write, { trace: 'begun', link: undefined }],
    ['begins none beyond the rate', { ...write, drawn: 0.1 }, { trace: 'none' }],
    ['begins none where the rate is 0', { ...write, sampleRate: 0, drawn: 0 }, { trace: 'none' }],
    ['begins one at the rate of 1', { ...write, sampleRate: 1, drawn: 0.999_999 }, { trace: 'begun', link: undefined }],
    ['that only reads begins none', { ...write, mayWrite: false }, { trace: 'none' }],
    [
      'goes on with a trusted trace, whatever the rate',
      { ...write, incoming: SAMPLED, sampleRate: 0, mayWrite: false },
      { trace: 'continued', incoming: SAMPLED },
    ],
    ['leaves out what a trusted client leaves out', { ...write, incoming: unsampled }, { trace: 'none' }],
    [
      'begins its own trace for another client, and names the one that was sent',
      { ...write, incoming: SAMPLED, isTrusted: false },
      { trace: 'begun', link: SAMPLED },
    ],
    [
      'is not traced because another client asks for it',
      { ...write, incoming: SAMPLED, isTrusted: false, drawn: 0.5 },
      { trace: 'none' },
    ],
  ])('%s', (_, input, decision) => {
    expect(decideRequestTrace(input)).toEqual(decision);
  });

  test.each([
    ['GET', '/healthz', 'GET'],
    ['GET', '/api/v1/nodes', 'GET /api/v1/nodes'],
    [
      'PUT',
      '/apis/apps/v1/namespaces/shop/deployments/web/scale',
      'PUT /apis/apps/v1/namespaces/{:namespace}/deployments/{:name}/scale',
    ],
    ['POST', '/api/v1/namespaces/shop/pods', 'POST /api/v1/namespaces/{:namespace}/pods'],
  ])('%s %s is the span %s, as in kube-apiserver', (method, path, name) => {
    expect(spanName(resolveRequestInfo(method, new URL(`http://host${path}`)))).toBe(name);
  });
});

describe('the span of a request', () => {
  async function spansOf(path: string, init: RequestInit): Promise<readonly Span[]> {
    const spans: Span[] = [];
    const tracing = new AsyncTracing(0, { add: (span) => spans.push(span), flush: async () => {} });
    const { app } = await startApi({ tracing });
    await app.request(path, init);
    return spans;
  }
  const traced = { traceparent: `00-${TRACE}-${SPAN}-01`, 'content-type': 'application/json' };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
  const path = '/api/v1/namespaces/default/configmaps';

  test("goes on with the client's, and says how the request was answered", async () => {
    const [span, ...others] = await spansOf(path, { method: 'POST', headers: traced, body: JSON.stringify(configMap) });
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      part: 'api',
      name: 'POST /api/v1/namespaces/{:namespace}/configmaps',
      traceId: TRACE,
      parentSpanId: SPAN,
      attributes: { 'http.request.method': 'POST', 'url.path': path, 'http.response.status_code': 201 },
    });
    expect(span?.spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  test('says that a request was refused', async () => {
    const [refused] = await spansOf(`${path}/absent`, { headers: traced });
    expect(refused?.attributes['http.response.status_code']).toBe(404);
    expect(refused?.error).toBeUndefined();
    const [unknown] = await spansOf('/nothing', { headers: traced });
    expect(unknown?.attributes['http.response.status_code']).toBe(404);
  });

  test('is none for a request that names no trace, at a rate of 0', async () => {
    expect(await spansOf(path, { method: 'POST', body: JSON.stringify(configMap) })).toEqual([]);
  });
});
