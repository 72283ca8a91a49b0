import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HttpServer, openHttpServer } from '../../../infra/host/openHttpServer.ts';

/** Long enough for a busy machine to read a request that was sent at once. */
const REQUEST_TIMEOUT_MS = 2_000;

let server: HttpServer | undefined;
afterEach(() => server?.close());

test('a request whose body never ends is given up after the time limit', async () => {
  server = await openHttpServer(async (request) => new Response(await request.text()), {
    port: 0,
    requestTimeoutMs: 100,
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  await once(socket, 'close');
  expect(answer).toContain('408 Request Timeout');
});

test('an answer may take longer than a request', async () => {
  let finish: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    finish = resolve;
  });
  server = await openHttpServer(
    async () => {
      await answered;
      return new Response('late');
    },
    { port: 0, requestTimeoutMs: REQUEST_TIMEOUT_MS },
  );
  const response = fetch(`http://127.0.0.1:${server.port}/`);
  // The time limit has passed, and has been looked for, before the answer is sent.
  setTimeout(() => finish?.(), 2 * REQUEST_TIMEOUT_MS);
  expect(await (await response).text()).toBe('late');
});
