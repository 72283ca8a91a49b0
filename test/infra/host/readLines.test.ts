import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readLines } from '../../../infra/host/readLines.ts';

test.each([
  ['lines in one piece', ['a\nb\n'], ['a', 'b']],
  ['a line in several pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
  ['a character in several pieces', [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)], ['é']],
  ['empty lines', ['\n\na\n\n'], ['a']],
  ['no last line that does not end', ['a\nb'], ['a']],
])('%s', async (_, pieces, lines) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      controller.close();
    },
  });
  const read: string[] = [];
  for await (const line of readLines(body)) read.push(line);
  expect(read).toEqual(lines);
});

test('lines of an answer that nobody refers to any more still come', async () => {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.flushHeaders();
    responses.push(response);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const { body } = await fetch(`http://127.0.0.1:${port}`);
    if (!body) throw new Error('no body');
    return readLines(body);
  };
  const lines = await open();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // What is collected is told a turn later.
  for (let turn = 0; turn < 10; turn += 1) {
    collectGarbage();
    await setTimeout(1);
  }
  responses[0]?.end('a\n');
  expect(await lines.next()).toEqual({ value: 'a', done: false });
});
