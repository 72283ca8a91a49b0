import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { answerProxyEvent } from '../../../lambdas/functions/api/answerProxyEvent.ts';
import { fromProxyEvent, userOf } from '../../../lambdas/functions/api/fromProxyEvent.ts';
import { streamResponse } from '../../../lambdas/functions/api/streamResponse.ts';
import { SystemClock } from '../../../lambdas/adapters/clocks/SystemClock.ts';
import type { Log } from '../../../lambdas/functions/createLog.ts';
import { LambdaStream, lambdaStreaming } from '../../support/LambdaStream.ts';
import { proxyEvent } from '../../support/proxyEvent.ts';

const PODS = '/api/v1/namespaces/default/pods';
const silent = () => {};
const hostOf = (log: Log) => ({ log, clock: new SystemClock() });

function withContext(event: APIGatewayProxyEvent, context: object): APIGatewayProxyEvent {
  return { ...event, requestContext: { ...event.requestContext, ...context } };
}

describe('the request of a proxy event', () => {
  it.each([
    { domain: "API Gateway's own, which keeps the stage out of the path", path: PODS, fullPath: `/live${PODS}` },
    { domain: 'a custom one, mapped without a stage', path: PODS, fullPath: PODS },
    { domain: 'a custom one, mapped below the name of the stage', path: `/live${PODS}`, fullPath: `/live${PODS}` },
  ])('has no stage in its path, with any domain: $domain', ({ path, fullPath }) => {
    const event = withContext(proxyEvent({ path }), { path: fullPath });
    expect(new URL(fromProxyEvent(event).url).pathname).toBe(PODS);
  });

  it('keeps a path of the API that begins like the stage', () => {
    const event = withContext(proxyEvent({ path: '/api/v1/pods' }), { stage: 'api', path: '/api/api/v1/pods' });
    expect(new URL(fromProxyEvent(event).url).pathname).toBe('/api/v1/pods');
  });

  it("has the root path if the event's path is only the stage", () => {
    expect(new URL(fromProxyEvent(withContext(proxyEvent({ path: '/live' }), { path: '/live' })).url).pathname).toBe(
      '/',
    );
  });

  it("keeps the path's encoding, even if the path looks as if it had a query", () => {
    const { url } = fromProxyEvent(proxyEvent({ path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Ab?c#d' }));
    expect(new URL(url)).toMatchObject({
      pathname: '/apis/rbac.authorization.k8s.io/v1/clusterroles/a%3Ab%3Fc%23d',
      search: '',
      hash: '',
    });
  });

  it('has every value of every parameter and header, with any characters', () => {
    const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 });
    const query = fc.dictionary(fc.string({ minLength: 1 }), texts, { noNullPrototype: true, maxKeys: 5 });
    fc.assert(
      fc.property(query, (query) => {
        const { searchParams } = new URL(fromProxyEvent(proxyEvent({ path: PODS, query })).url);
        for (const [name, values] of Object.entries(query)) {
          expect(searchParams.getAll(name)).toEqual(values);
        }
      }),
    );
    const headers = { Accept: ['application/json', 'application/yaml'], 'X-One': ['1'] };
    const request = fromProxyEvent({ ...proxyEvent({ path: PODS }), multiValueHeaders: headers });
    expect(request.headers.get('accept')).toBe('application/json, application/yaml');
    expect(request.headers.get('x-one')).toBe('1');
  });

  it('uses the single values only if the event has no multiple ones', () => {
    const event = { ...proxyEvent({ path: PODS }), multiValueHeaders: null, multiValueQueryStringParameters: null };
    const only = { ...event, headers: { accept: 'a/b' }, queryStringParameters: { limit: '1' } };
    const request = fromProxyEvent(only as unknown as APIGatewayProxyEvent);
    expect([request.headers.get('accept'), new URL(request.url).search]).toEqual(['a/b', '?limit=1']);
  });

  it('has the bytes of a body, which kubectl sends as protobuf', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (body) => {
        const request = fromProxyEvent(proxyEvent({ method: 'POST', path: PODS, body }));
        expect(new Uint8Array(await request.arrayBuffer())).toEqual(body);
      }),
    );
  });

  it('has a text body in UTF-8', async () => {
    const event = { ...proxyEvent({ method: 'PUT', path: PODS }), body: '{"a":"ä"}', isBase64Encoded: false };
    expect(await fromProxyEvent(event).text()).toBe('{"a":"ä"}');
  });

  it('does not contain the token', () => {
    const headers = { Authorization: ['Bearer secret'], authorization: ['Bearer secret'] };
    expect(fromProxyEvent(proxyEvent({ path: PODS, headers })).headers.has('authorization')).toBe(false);
  });
});

describe('the user of a proxy event', () => {
  it("is the authorizer's", () => {
    const authorizer = { username: 'jane', uid: 'u1', groups: '["dev","system:authenticated"]', principalId: 'jane' };
    expect(userOf(proxyEvent({ path: PODS, authorizer }))).toEqual({
      username: 'jane',
      uid: 'u1',
      groups: ['dev', 'system:authenticated'],
    });
  });

  it('never comes from a header, a parameter or a body', () => {
    const named = { username: ['root'], groups: ['["system:masters"]'], 'X-Remote-User': ['root'] };
    const body = Buffer.from(JSON.stringify({ username: 'root', groups: '["system:masters"]' }));
    const event = proxyEvent({ method: 'POST', path: PODS, headers: named, query: named, body, authorizer: {} });
    expect(userOf(event)).toBeUndefined();
  });

  it.each([
    { problem: 'no authorizer', authorizer: undefined },
    { problem: 'no name', authorizer: { groups: '[]' } },
    { problem: 'an empty name', authorizer: { username: '', groups: '[]' } },
    { problem: 'a name that is not a text', authorizer: { username: 7, groups: '[]' } },
    { problem: 'no groups', authorizer: { username: 'jane' } },
    { problem: 'groups that are not JSON', authorizer: { username: 'jane', groups: 'system:masters' } },
    { problem: 'groups that are not a list', authorizer: { username: 'jane', groups: '"system:masters"' } },
    { problem: 'groups that are not texts', authorizer: { username: 'jane', groups: '[["system:masters"]]' } },
  ])('is undefined if there is $problem', ({ authorizer }) => {
    expect(userOf(withContext(proxyEvent({ path: PODS }), { authorizer }))).toBeUndefined();
  });
});

describe('the answer to a proxy event', () => {
  it.each([
    { problem: 'an invalid method', change: { httpMethod: 'TRACE' } },
    { problem: 'an invalid header name', change: { multiValueHeaders: { 'a b': ['c'] } } },
    { problem: 'a header with invalid characters', change: { multiValueHeaders: { accept: ['\u{1f600}'] } } },
  ])('is a 400 for $problem', async ({ change }) => {
    const answer = await answerProxyEvent(() => Promise.reject(), silent, { ...proxyEvent({ path: PODS }), ...change });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
  });

  it('is a 500 without internal details if the application fails', async () => {
    const lines: unknown[] = [];
    const failing = () => Promise.reject(new Error('secret'));
    const answer = await answerProxyEvent(failing, (line) => void lines.push(line), proxyEvent({ path: PODS }));
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(JSON.stringify(lines)).toContain('secret');
  });
});

describe('a streamed answer', () => {
  it('begins with a prelude even if there is no body', async () => {
    const stream = new LambdaStream();
    await streamResponse(
      lambdaStreaming,
      new Response(null, { status: 204, headers: { ETag: '"1"' } }),
      stream,
      hostOf(silent),
    );
    expect(stream.answer()).toEqual({ prelude: { statusCode: 204, headers: { etag: '"1"' } }, body: '' });
    expect(stream.writableFinished).toBe(true);
  });

  it('has no headers about lengths and connections, which API Gateway sets', async () => {
    const stream = new LambdaStream();
    const headers = { 'Content-Length': '2', Connection: 'close', 'Content-Type': 'text/plain' };
    await streamResponse(lambdaStreaming, new Response('ok', { headers }), stream, hostOf(silent));
    expect(stream.answer()).toEqual({
      prelude: { statusCode: 200, headers: { 'content-type': 'text/plain' } },
      body: 'ok',
    });
  });

  it('begins before the first event of a watch', async () => {
    const stream = new LambdaStream();
    const answered = streamResponse(lambdaStreaming, new Response(new ReadableStream()), stream, hostOf(silent));
    await stream.until(/^$/);
    expect(stream.answer()?.prelude.statusCode).toBe(200);
    stream.destroy();
    await answered;
  });

  it('ends its body when the client goes away', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('event')),
      cancel: () => void (isCancelled = true),
    });
    const lines: unknown[] = [];
    const stream = new LambdaStream();
    const answered = streamResponse(
      lambdaStreaming,
      new Response(body),
      stream,
      hostOf((line) => void lines.push(line)),
    );
    await stream.until(/event/);
    stream.destroy();
    await answered;
    expect(isCancelled).toBe(true);
    expect(lines).toMatchObject([{ level: 'debug' }]);
  });

  it('ends its body when the client takes nothing', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
      cancel: () => void (isCancelled = true),
    });
    const stuck = new Writable({ write: () => {} });
    const streaming = { HttpResponseStream: { from: (stream: Writable) => stream } };
    await streamResponse(streaming, new Response(body), stuck, hostOf(silent), 20);
    expect([isCancelled, stuck.destroyed]).toEqual([true, true]);
  });

  it('is aborted, with the reason in the log, when its body fails', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('the store is gone')) });
    const lines: unknown[] = [];
    const stream = new LambdaStream();
    await streamResponse(
      lambdaStreaming,
      new Response(body),
      stream,
      hostOf((line) => void lines.push(line)),
    );
    expect(stream.destroyed).toBe(true);
    expect(lines).toMatchObject([{ level: 'error', error: 'Error: the store is gone' }]);
  });
});
