import { get, type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import { endWatches } from '../../../lambdas/functions/api/endWatches.ts';
import {
  type ContainerServer,
  openContainerServer,
  withoutStage,
} from '../../../lambdas/functions/api/openContainerServer.ts';
import { userOfHeaders } from '../../../lambdas/functions/api/userOfHeaders.ts';

const JANE = ['X-Driftless-Username', 'jane', 'x-driftless-uid', 'u1', 'x-driftless-groups', '["dev"]'];

let server: ContainerServer | undefined;
afterEach(() => server?.close());

async function serve(fetch: Parameters<typeof openContainerServer>[0]['fetch']): Promise<number> {
  server = await openContainerServer({ fetch, clock: new SystemClock(), listen: '0', stage: 'k8s' });
  return Number(server.address);
}

describe('the user of a request to the container', () => {
  it('is the one that API Gateway names in its headers', () => {
    expect(userOfHeaders(JANE)).toEqual({ username: 'jane', uid: 'u1', groups: ['dev'] });
  });

  it.each([
    ['no headers', []],
    ['no name', JANE.slice(2)],
    ['no groups', JANE.slice(0, 4)],
    ['a second name, which could be the client`s', [...JANE, 'x-driftless-username', 'root']],
    ['second groups in another spelling', [...JANE, 'X-DRIFTLESS-GROUPS', '["system:masters"]']],
    ['groups that are not a list', ['x-driftless-username', 'jane', 'x-driftless-groups', 'system:masters']],
  ])('is undefined with %s', (_, headers) => expect(userOfHeaders(headers)).toBeUndefined());
});

it.each([
  ['/k8s/api/v1/pods?limit=1', '/api/v1/pods?limit=1'],
  ['/k8s', '/'],
  ['/k8s/', '/'],
  ['/k8s?a=1', '/?a=1'],
  ['/k8s/k8s/openid/v1/jwks', '/openid/v1/jwks'],
  ['/openid/v1/jwks', '/openid/v1/jwks'],
  ['/api/k8s', '/api/k8s'],
  ['/k8sother', '/k8sother'],
])('the stage is removed: %s is %s', (url, path) => expect(withoutStage(url, 'k8s')).toBe(path));

describe('the server of the container', () => {
  it('passes on the path without the stage, the body, and the user', async () => {
    const port = await serve(async (raw, environment) =>
      Response.json({ path: new URL(raw.url).pathname, body: await raw.text(), environment }),
    );
    const sent = request({
      port,
      path: '/k8s/api',
      method: 'POST',
      headers: { 'x-driftless-username': 'jane', 'x-driftless-groups': '[]' },
    });
    const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    sent.end('body');
    const chunks: Buffer[] = [];
    for await (const chunk of await answer) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
      path: '/api',
      body: 'body',
      environment: { user: { username: 'jane', groups: [] }, remoteAddress: '::ffff:127.0.0.1' },
    });
  });

  it('ends a watch at once when its client leaves', async () => {
    let ended = () => {};
    const hasEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const watch = () => new ReadableStream({ start: (to) => to.enqueue(Buffer.from('{}\n')), cancel: () => ended() });
    const port = await serve(async () => new Response(watch()));
    const watching = get({ port, path: '/k8s/api/v1/pods?watch=true' });
    watching.on('error', () => {});
    const answer = await new Promise<IncomingMessage>((resolve) => watching.once('response', resolve));
    await new Promise((resolve) => answer.once('data', resolve));
    watching.destroy();
    await hasEnded;
  });

  it.each([
    '/k8s/api/v1/pods?watch=true',
    '/k8s/api/v1/pods?watch',
    '/k8s/api/v1/watch/pods',
    '/k8s/api/v1/namespaces/default/pods/web/log?follow=true',
  ])('ends %s cleanly when it stops, so that clients resume it elsewhere', async (path) => {
    const stopping = new AbortController();
    const port = await serve(endWatches(async () => new Response(new ReadableStream()), stopping.signal));
    const watching = get({ port, path });
    const answer = await new Promise<IncomingMessage>((resolve) => watching.once('response', resolve));
    const end = new Promise((resolve) => answer.once('end', resolve));
    answer.resume();
    stopping.abort();
    await end;
    expect(answer.complete).toBe(true);
  });
});
