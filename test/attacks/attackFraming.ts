import { expect, test } from 'vitest';
import { type RawAnswer, rawRequest, sendRaw } from './sendRaw.ts';
import type { Target } from './targets.ts';

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** A whole request that creates an object, to hide behind another one. */
const hidden = (authorization: Readonly<Record<string, string>>) =>
  rawRequest('POST', CONFIG_MAPS, { ...authorization, 'Content-Type': 'application/json' }, configMap('smuggled'));

/** Bytes after the headers of a POST to the config maps. */
interface Framing {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: (smuggled: string) => string;
}

const FRAMINGS: readonly (readonly [name: string, framing: Framing])[] = [
  [
    'a length and chunks',
    { headers: { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, body: (it) => `0\r\n\r\n${it}` },
  ],
  ['two lengths', { headers: { 'Content-Length': ['2', '400'] }, body: (it) => `{}${it}` }],
  ['two lengths in one header', { headers: { 'Content-Length': '2, 400' }, body: (it) => `{}${it}` }],
  ['a length with a sign', { headers: { 'Content-Length': '+2' }, body: (it) => `{}${it}` }],
  ['a negative length', { headers: { 'Content-Length': '-2' }, body: (it) => it }],
  ['a hexadecimal length', { headers: { 'Content-Length': '0x2' }, body: (it) => `{}${it}` }],
  ['a length beyond all integers', { headers: { 'Content-Length': '99999999999999999999' }, body: (it) => it }],
  ['an unknown transfer encoding', { headers: { 'Transfer-Encoding': 'xchunked' }, body: (it) => `0\r\n\r\n${it}` }],
  [
    'chunks that are not the last encoding',
    { headers: { 'Transfer-Encoding': 'chunked, identity' }, body: (it) => `0\r\n\r\n${it}` },
  ],
  ['a chunk size with a sign', { headers: { 'Transfer-Encoding': 'chunked' }, body: (it) => `-1\r\n\r\n${it}` }],
  [
    'a chunk size beyond all integers',
    { headers: { 'Transfer-Encoding': 'chunked' }, body: (it) => `fffffffffffffffff\r\n${it}` },
  ],
  [
    'a chunk that is longer than its size',
    { headers: { 'Transfer-Encoding': 'chunked' }, body: (it) => `2\r\n{}{}\r\n0\r\n\r\n${it}` },
  ],
  ['a space before a colon', { headers: { 'Content-Length ': '2' }, body: (it) => `{}${it}` }],
  ['a folded header', { headers: { 'Transfer-Encoding': '\r\n chunked' }, body: (it) => `0\r\n\r\n${it}` }],
  ['NUL in a header', { headers: { 'X-A': 'a\0b' }, body: (it) => it }],
  [
    'a line feed alone in a header',
    { headers: { 'X-A': 'a\nTransfer-Encoding: chunked' }, body: (it) => `0\r\n\r\n${it}` },
  ],
  ['a header of 100 kB', { headers: { 'X-A': 'a'.repeat(100_000) }, body: (it) => it }],
  ['3,000 headers', { headers: { 'X-A': Array.from({ length: 3000 }, (_, index) => `${index}`) }, body: (it) => it }],
];

/** First lines that are no HTTP/1.1 request, or one that a server must not serve. */
const FIRST_LINES: readonly (readonly [name: string, bytes: string])[] = [
  ['an unknown method', 'EVIL / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a method in small letters', 'get /version HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['no version', 'GET /version\r\n\r\n'],
  ['another version', 'GET /version HTTP/3.7\r\nHost: localhost\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no host', 'GET /version HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['a target of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['a space in the target', 'GET /version /version HTTP/1.1\r\nHost: localhost\r\n\r\n'],
];

/** Registers the tests of HTTP's framing against a server that runs when they do. */
export function attackFraming(target: () => Target): void {
  const statusOf = async (path: string) =>
    (await sendRaw(target().port, rawRequest('GET', path, target().as('root')))).status;

  test.each(FRAMINGS)('does not take what follows %s for another request', async (_, { headers, body }) => {
    const authorization = target().as('root');
    const first = { ...authorization, 'Content-Type': 'application/json', Connection: 'keep-alive', ...headers };
    const head = rawRequest('POST', CONFIG_MAPS, first);
    const answer = await sendRaw(target().port, head + body(hidden(authorization)));
    expect([answer.count <= 1, answer.status === undefined || answer.status >= 400]).toEqual([true, true]);
    expect(await statusOf(`${CONFIG_MAPS}/smuggled`)).toBe(404);
  });

  test.each(FIRST_LINES)('does not serve %s', async (_, bytes) => {
    const { status, count }: RawAnswer = await sendRaw(target().port, bytes);
    expect([count <= 1, status === undefined || status >= 400]).toEqual([true, true]);
  });

  test('answers the next client as before', async () => {
    expect(await statusOf('/readyz')).toBe(200);
  });
}
