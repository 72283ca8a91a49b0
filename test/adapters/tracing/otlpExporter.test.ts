import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { OtlpExporter } from '../../../lambdas/adapters/tracing/OtlpExporter.ts';
import { otlpSpans } from '../../../lambdas/adapters/tracing/otlpSpans.ts';
import type { Span } from '../../../lambdas/ports/Tracing.ts';

const T = Date.UTC(2026, 0, 1);
const SPAN: Span = {
  part: 'sync',
  name: 'sync deployment',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: 'c'.repeat(16),
  links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
  startMs: T + 0.25,
  endMs: T + 40,
  attributes: { key: 'deployment:default/web', writes: 3 },
  error: 'it failed',
};

let server: Server;
let received: { readonly path: string; readonly type: string; readonly body: unknown }[];
let status: number;

beforeEach(async () => {
  received = [];
  status = 200;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
      received.push({ path: String(request.url), type: String(request.headers['content-type']), body });
      response.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(port = (server.address() as AddressInfo).port) {
  const lines: object[] = [];
  const endpoint = new URL(`http://127.0.0.1:${port}/v1/traces`);
  const exporter = new OtlpExporter({ endpoint, clock: new SystemClock(), report: (line) => lines.push(line) });
  return { exporter, lines };
}

test("a span is written as OTLP's JSON has it: hexadecimal ids, and nanoseconds as text", () => {
  expect(otlpSpans([SPAN])).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'driftless' } }] },
        scopeSpans: [
          {
            scope: { name: 'driftless' },
            spans: [
              {
                traceId: 'a'.repeat(32),
                spanId: 'b'.repeat(16),
                parentSpanId: 'c'.repeat(16),
                name: 'sync deployment',
                kind: 5,
                startTimeUnixNano: `${T}250000`,
                endTimeUnixNano: `${T + 40}000000`,
                attributes: [
                  { key: 'driftless.part', value: { stringValue: 'sync' } },
                  { key: 'key', value: { stringValue: 'deployment:default/web' } },
                  { key: 'writes', value: { intValue: '3' } },
                ],
                links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
                status: { code: 2, message: 'it failed' },
              },
            ],
          },
        ],
      },
    ],
  });
});

test('spans go to the collector together, as JSON', async () => {
  const { exporter, lines } = open();
  exporter.add(SPAN);
  exporter.add({ ...SPAN, spanId: 'f'.repeat(16) });
  await exporter.flush();
  const body = otlpSpans([SPAN, { ...SPAN, spanId: 'f'.repeat(16) }]);
  expect(received).toEqual([{ path: '/v1/traces', type: 'application/json', body }]);
  expect(lines).toEqual([]);
});

test('spans that the collector refuses are lost, which is said once until it takes others', async () => {
  const { exporter, lines } = open();
  const send = async (answered: number) => {
    status = answered;
    exporter.add(SPAN);
    await exporter.flush();
  };
  for (const answered of [503, 503, 200, 503]) await send(answered);
  const lost = { level: 'warn', msg: 'spans are lost', error: 'Error: the collector answers with 503: {}' };
  expect(lines).toEqual([lost, lost]);
  expect(received).toHaveLength(4);
});

test('without a collector nothing fails', async () => {
  await new Promise((resolve) => server.close(resolve));
  const { exporter, lines } = open(1);
  exporter.add(SPAN);
  await exporter.flush();
  expect(lines).toMatchObject([{ msg: 'spans are lost' }]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
