import { afterEach, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../infra/local/startControlPlane.ts';
import { AsyncTracing } from '../../../lambdas/adapters/tracing/AsyncTracing.ts';
import type { Span } from '../../../lambdas/ports/Tracing.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

let controlPlane: ControlPlane | undefined;

afterEach(async () => {
  await controlPlane?.stop();
  controlPlane = undefined;
});

async function start(sampleRate: number) {
  const spans: Span[] = [];
  const tracing = new AsyncTracing(sampleRate, { add: (span) => spans.push(span), flush: async () => {} });
  const started = (controlPlane = await startControlPlane({ tracing }));
  await started.whenIdle();
  const post = async (headers: Record<string, string>, name = 'web') => {
    const manifest = webDeployment('nginx', 3);
    const body = JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, name } });
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    const response = await fetch(started.url + DEPLOYMENTS, init);
    expect(response.status).toBe(201);
  };
  return { controlPlane: started, spans, post };
}

/** Watches until all replicas are available. */
async function available({ url }: ControlPlane, name: string): Promise<void> {
  const ended = new AbortController();
  const query = `?watch=true&fieldSelector=metadata.name%3D${name}`;
  const response = await fetch(url + DEPLOYMENTS + query, { signal: ended.signal });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (/"availableReplicas":3/.test(text)) break;
  }
  ended.abort();
}

test('one trace leads from a request to the last write of its rollout', async () => {
  const { controlPlane: plane, spans, post } = await start(0);
  await post({ traceparent: `00-${TRACE}-${SPAN}-01` });
  await available(plane, 'web');
  await plane.whenIdle();
  const own = spans.filter(({ traceId }) => traceId === TRACE);
  expect(own).toHaveLength(spans.length);
  const [request] = own.filter(({ part }) => part === 'api');
  expect(request).toMatchObject({ parentSpanId: SPAN, attributes: { 'http.response.status_code': 201 } });
  const syncs = own.filter(({ part }) => part === 'sync');
  const first = syncs.find(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(first?.attributes['key']).toBe('deployment:default/web');
  // The pods become ready when the time of their start has passed: their keys are woken for that, in the same trace.
  const writes = syncs.map(({ attributes }) => String(attributes['writes']));
  expect(writes.some((text) => text.includes('create pods'))).toBe(true);
  const last = plane.history.of({ controller: 'deployment', namespace: 'default', name: 'web' }).at(-1);
  expect(last).toMatchObject({ traceId: TRACE, waited: { traceId: TRACE, via: 'stream' } });
  const ids = new Set(own.map(({ spanId }) => spanId));
  expect(own.filter(({ parentSpanId }) => parentSpanId !== SPAN && !ids.has(parentSpanId ?? ''))).toEqual([]);
  expect(ids.size).toBe(own.length);
});

test('what the last traced change has waited for is in the explanation', async () => {
  const { controlPlane: plane, post } = await start(1);
  await post({});
  await available(plane, 'web');
  await plane.whenIdle();
  expect(await plane.explain('deployment/default/web')).toMatch(
    /\n {2}the sync for the last traced change, written at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, waited .*, and took [\d.]+ s\n/,
  );
});

test('requests that are not sampled leave no span, whatever else is traced at the time', async () => {
  const { controlPlane: plane, spans, post } = await start(0);
  await Promise.all([post({ traceparent: `00-${TRACE}-${SPAN}-01` }), post({}, 'other')]);
  await Promise.all([available(plane, 'web'), available(plane, 'other')]);
  await plane.whenIdle();
  const keys = new Set(spans.map(({ attributes }) => attributes['key']));
  expect(keys).toContain('deployment:default/web');
  expect(keys).not.toContain('deployment:default/other');
  expect(await plane.explain('deployment/default/other')).not.toContain('traced');
});
