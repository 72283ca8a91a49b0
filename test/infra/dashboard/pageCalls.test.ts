import { describe, expect, test } from 'vitest';
import { startTestCluster } from '../../support/startTestCluster.ts';
import { storedObjects } from '../../support/storedObjects.ts';
import { webDeployment } from '../../support/webDeployment.ts';

const CALLS = [
  ['deployments/default/web/act', { act: 'delete', dryRun: false }],
  ['controls/advance', { duration: '1m' }],
  ['controls/faults', { spec: { verb: 'delete', respond: { reason: 'Conflict' } } }],
  ['controls/podbehaviours', { spec: { image: 'nginx:9', behave: { failPull: true } } }],
] as const;
const LIMIT = 65_536;

async function quietWeb() {
  const cluster = await startTestCluster({ clock: 'virtual' });
  await cluster.apply(webDeployment('nginx:1', 1));
  await cluster.advance('1m');
  const stored = () => storedObjects((path, init) => fetch(cluster.url + path, init));
  const call = async (path: string, body: RequestInit['body']) => {
    const headers = { 'x-driftless-dashboard': '1', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const answer = await fetch(`${cluster.url}/dashboard/api/${path}`, init);
    return { code: answer.status, answer: await answer.json() };
  };
  return { cluster, stored, call };
}

/** The body with so many bytes. */
function ofLength(body: object, bytes: number): string {
  return JSON.stringify(body).padEnd(bytes);
}

/** What a client sends that does not say how much will come. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + 1_000));
      at += 1_000;
      if (at >= bytes.length) controller.close();
    },
  });
}

describe.each(CALLS)('the page`s call %s', (path, body) => {
  test.each([
    ['with its length', (text: string) => text],
    ['in pieces', inPieces],
  ])('is refused if its body is too long, sent %s, and does nothing', async (_, sent) => {
    const { cluster, stored, call } = await quietWeb();
    const before = await stored();
    expect(await call(path, sent(ofLength(body, LIMIT + 1)))).toEqual({
      code: 413,
      answer: { problem: `Request entity too large: limit is ${LIMIT}` },
    });
    await cluster.settle();
    expect(await stored()).toEqual(before);
  });

  test('is done with the longest body', async () => {
    const { cluster, stored, call } = await quietWeb();
    const before = [cluster.now(), await stored()];
    expect((await call(path, ofLength(body, LIMIT))).code).toBe(200);
    await cluster.settle();
    expect([cluster.now(), await stored()]).not.toEqual(before);
  });

  test.each(['', 'null', '[1', '"text"'])('refuses the body %j, and does nothing', async (text) => {
    const { cluster, stored, call } = await quietWeb();
    const before = await stored();
    expect((await call(path, text)).code).toBe(400);
    await cluster.settle();
    expect(await stored()).toEqual(before);
  });
});
