import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readLines } from '../../../infra/host/readLines.ts';
import { UsageError } from '../../../infra/host/UsageError.ts';
import { sendOverNode } from '../../../infra/commandLine/sendOverNode.ts';

const UNREACHABLE = 'no server answers';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (init?: RequestInit) =>
    sendOverNode(request, { port, host: '127.0.0.1', path: '/a' }, UNREACHABLE, init);
  return { server, send };
}

/** Resolves when the server sees that the client has gone. */
function closing(listener: RequestListener) {
  let gone = () => {};
  const isGone = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const listen: RequestListener = (incoming, outgoing) => {
    outgoing.once('close', gone);
    listener(incoming, outgoing);
  };
  return { listen, isGone };
}

test('sends the body and the headers, and answers with the code, the headers and the body', async () => {
  const { send } = await serve((incoming, outgoing) => {
    outgoing.writeHead(201, { 'x-test': 'yes', 'set-cookie': ['a=1', 'b=2'] });
    outgoing.write(`${incoming.method} ${incoming.url} ${incoming.headers['content-type']} `);
    incoming.pipe(outgoing);
  });
  const answer = await send({ method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } });
  expect([answer.status, answer.headers.get('x-test'), answer.headers.getSetCookie()]).toEqual([
    201,
    'yes',
    ['a=1', 'b=2'],
  ]);
  expect(await answer.text()).toBe('POST /a text/plain hello');
});

/** A server that ends the connections of its first requests without an answer, as one does that closes a kept connection just then. */
async function serveAfterBreaking(broken: number) {
  let seen = 0;
  const { send } = await serve(({ socket }, outgoing) => {
    seen += 1;
    if (seen <= broken) socket.destroy();
    else outgoing.end('hello');
  });
  return { send, seen: () => seen };
}

test('sends a request that changes nothing once more when its connection ends before the answer', async () => {
  const { send, seen } = await serveAfterBreaking(1);
  expect(await (await send()).text()).toBe('hello');
  expect(seen()).toBe(2);
});

test.each([
  ['one that breaks twice', 'GET', 2, 2],
  ['one that may have changed something', 'POST', 1, 1],
])('does not repeat %s', async (_, method, broken, sent) => {
  const { send, seen } = await serveAfterBreaking(broken);
  await expect(send({ method })).rejects.toThrow(new UsageError(UNREACHABLE));
  expect(seen()).toBe(sent);
});

test('takes an answer that has no body', async () => {
  const { send } = await serve((_, outgoing) => outgoing.writeHead(204).end());
  const answer = await send();
  expect([answer.status, answer.body]).toEqual([204, null]);
});

test('answers with the headers at once, and streams what comes later', async () => {
  let write: (line: string) => void = () => {};
  const { send } = await serve((_, outgoing) => {
    outgoing.flushHeaders();
    write = (line) => outgoing.write(`${line}\n`);
  });
  const { body } = await send();
  expect(body).not.toBeNull();
  const lines = readLines(body as ReadableStream<Uint8Array>);
  for (const line of ['first', 'second']) {
    write(line);
    expect(await lines.next()).toEqual({ done: false, value: line });
  }
  await lines.return();
});

test('ends the request when the reader leaves', async () => {
  const { listen, isGone } = closing((_, outgoing) => outgoing.write('line\n'));
  const { send } = await serve(listen);
  const { body } = await send();
  for await (const line of readLines(body as ReadableStream<Uint8Array>)) {
    expect(line).toBe('line');
    break;
  }
  await isGone;
});

test('ends the request when the signal comes before the answer', async () => {
  const ending = new AbortController();
  const { listen, isGone } = closing(() => ending.abort());
  const { send } = await serve(listen);
  await expect(send({ signal: ending.signal })).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await isGone;
});

test('ends the body when the signal comes while it streams', async () => {
  const { listen, isGone } = closing((_, outgoing) => outgoing.write('line\n'));
  const { send } = await serve(listen);
  const ending = new AbortController();
  const { body } = await send({ signal: ending.signal });
  const lines = readLines(body as ReadableStream<Uint8Array>);
  await lines.next();
  ending.abort();
  await expect(lines.next()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await isGone;
});

test('sends nothing when the signal came before', async () => {
  let asked = 0;
  const { send } = await serve(() => (asked += 1));
  await expect(send({ signal: AbortSignal.abort() })).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(asked).toBe(0);
});

test('says that nothing answers where no server is, or one that hangs up', async () => {
  const { send, server } = await serve((incoming) => incoming.socket.destroy());
  await expect(send()).rejects.toThrow(new UsageError(UNREACHABLE));
  server.close();
  await once(server, 'close');
  await expect(send()).rejects.toThrow(new UsageError(UNREACHABLE));
});

test('fails in the body when the server goes away in the middle', async () => {
  let cut = () => {};
  const { send } = await serve((incoming, outgoing) => {
    outgoing.write('line\n');
    cut = () => incoming.socket.destroy();
  });
  const { body } = await send();
  const lines = readLines(body as ReadableStream<Uint8Array>);
  await lines.next();
  cut();
  await expect(lines.next()).rejects.toThrow();
});
