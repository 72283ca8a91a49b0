import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { XRayClient } from '../../../../lambdas/adapters/aws/traces/XRayClient.ts';
import { XRaySpans } from '../../../../lambdas/adapters/aws/traces/XRaySpans.ts';
import { xraySegment } from '../../../../lambdas/adapters/aws/traces/xraySegments.ts';
import { SystemClock } from '../../../../lambdas/adapters/clocks/SystemClock.ts';
import type { Span } from '../../../../lambdas/ports/Tracing.ts';

const T = Date.UTC(2026, 0, 1);
const SPAN: Span = {
  part: 'stream',
  name: 'wait for the stream',
  traceId: '4efaaf4d1e8720b39541901950019ee5',
  spanId: '53995c3f42cd8ad8',
  startMs: T,
  endMs: T + 2_100,
  attributes: { key: 'deployment:default/web' },
};

let server: Server;
let received: { readonly path: string; readonly authorization: string; readonly documents: readonly string[] }[];
let answer: { status: number; body: object };

beforeEach(async () => {
  received = [];
  answer = { status: 200, body: { UnprocessedTraceSegments: [] } };
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { TraceSegmentDocuments: documents } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        TraceSegmentDocuments: string[];
      };
      received.push({ path: String(request.url), authorization: String(request.headers.authorization), documents });
      response.writeHead(answer.status).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open() {
  const lines: object[] = [];
  const clock = new SystemClock();
  const client = new XRayClient({
    region: async () => 'eu-west-1',
    credentials: async () => ({ accessKeyId: 'AKID', secretAccessKey: 'secret' }),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
  });
  const spans = new XRaySpans({ client, clock, report: (line) => lines.push(line) });
  return { spans, lines };
}

test("a span is a segment document, with the trace's id as X-Ray writes it and its times in seconds", () => {
  expect(JSON.parse(xraySegment(SPAN))).toEqual({
    name: 'driftless-stream',
    id: '53995c3f42cd8ad8',
    trace_id: '1-4efaaf4d-1e8720b39541901950019ee5',
    start_time: T / 1000,
    end_time: T / 1000 + 2.1,
    metadata: { driftless: { name: 'wait for the stream', key: 'deployment:default/web' } },
  });
  const links = [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }];
  const failed = { ...SPAN, parentSpanId: 'f'.repeat(16), links, error: 'it failed' };
  expect(JSON.parse(xraySegment(failed))).toMatchObject({
    parent_id: 'f'.repeat(16),
    fault: true,
    metadata: { driftless: { error: 'it failed', links: [`1-${'d'.repeat(8)}-${'d'.repeat(24)}`] } },
  });
});

test('a document stays far below 64 KB, whatever a sync has written', () => {
  const writes = 'create pods default/web '.repeat(10_000);
  const segment = xraySegment({ ...SPAN, attributes: { writes, outcome: 'done' }, error: writes });
  expect(Buffer.byteLength(segment)).toBeLessThan(10_000);
});

test('spans are sent when the function flushes them, signed, fifty at a time', async () => {
  const { spans, lines } = open();
  for (let at = 0; at < 60; at += 1) spans.add(SPAN);
  await spans.flush();
  expect(received.map(({ path, documents }) => [path, documents.length])).toEqual([
    ['/TraceSegments', 50],
    ['/TraceSegments', 10],
  ]);
  expect(received[0]?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/xray\/aws4_request, /,
  );
  expect(received[0]?.documents[0]).toBe(xraySegment(SPAN));
  expect(lines).toEqual([]);
});

test('what X-Ray does not take is lost, and said', async () => {
  const { spans, lines } = open();
  answer = { status: 200, body: { UnprocessedTraceSegments: [{ Id: 'x', ErrorCode: 'MissingId' }] } };
  spans.add(SPAN);
  await spans.flush();
  answer = { status: 403, body: { Message: 'no' } };
  spans.add(SPAN);
  await spans.flush();
  expect(lines).toEqual([
    { level: 'warn', msg: 'spans are lost', count: 1, error: '{"Id":"x","ErrorCode":"MissingId"}' },
    { level: 'warn', msg: 'spans are lost', count: 1, error: 'Error: X-Ray answers with 403: {"Message":"no"}' },
  ]);
});
