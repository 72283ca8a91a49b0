import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackFraming, CONFIG_MAPS, configMap } from './attackFraming.ts';
import { attackParsers } from './attackParsers.ts';
import { rawRequest, sendRaw } from './sendRaw.ts';
import { startEmbedded, type Target } from './targets.ts';

let target: Target;
beforeAll(async () => {
  target = await startEmbedded();
});
afterAll(() => target.stop());

describe('the embedded server and its connections', () => attackFraming(() => target));

describe('the embedded server and its parsers', () => attackParsers(() => target, 'nobody'));

describe('the embedded server and the pages of a browser', () => {
  const json = { 'Content-Type': 'application/json' };
  const own = () => `http://localhost:${target.port}`;
  const host = () => `localhost:${target.port}`;

  test.each<[string, () => Readonly<Record<string, string>>, number]>([
    ['a program, which sends no origin', () => json, 201],
    ['its own page', () => ({ ...json, Origin: own(), 'Sec-Fetch-Site': 'same-origin' }), 201],
    ['a page of another port', () => ({ ...json, Origin: 'http://localhost:3000' }), 403],
    ['a page of another port that hides its origin', () => ({ ...json, 'Sec-Fetch-Site': 'same-site' }), 403],
    ['a page of the web', () => ({ ...json, Origin: 'https://example.com' }), 403],
    ['a page of the web that hides its origin', () => ({ ...json, 'Sec-Fetch-Site': 'cross-site' }), 403],
    ['a page in a frame without an origin', () => ({ ...json, Origin: 'null' }), 403],
    ['a page of a name that begins like the own', () => ({ ...json, Origin: `${own()}.example.com` }), 403],
    ['a page of the own name over TLS', () => ({ ...json, Origin: own().replace('http', 'https') }), 403],
    ['a page whose name resolves to this machine', () => ({ ...json, Host: `evil.example:${target.port}` }), 403],
    ['a page of a name that ends like the own', () => ({ ...json, Host: `evil.localhost:${target.port}` }), 403],
    ['a form', () => ({ 'Content-Type': 'application/x-www-form-urlencoded' }), 415],
    ['a form of text', () => ({ 'Content-Type': 'text/plain' }), 415],
    ['a page that sends no type', () => ({}), 415],
    ['a page that sends an empty type', () => ({ 'Content-Type': '' }), 415],
    ['a page that sends no type, in a browser', () => ({ 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' }), 415],
    ['kubectl, which sends no type with --raw', () => ({ 'User-Agent': 'kubectl/v1.34.0' }), 201],
  ])('%s', async (sender, headers, status) => {
    const name = sender.replaceAll(/[^a-z]+/g, '-');
    const request = rawRequest('POST', CONFIG_MAPS, { Host: host(), ...headers() }, configMap(name));
    expect((await sendRaw(target.port, request)).status).toBe(status);
  });

  test('a page of another port cannot evict a pod', async () => {
    const eviction = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
    const path = '/api/v1/namespaces/default/pods/p/eviction';
    const evict = async (headers: Readonly<Record<string, string>>) =>
      (await sendRaw(target.port, rawRequest('POST', path, { Host: host(), ...headers }, eviction))).status;
    expect(await evict({ Origin: 'http://localhost:3000' })).toBe(403);
    expect(await evict({})).toBe(415);
  });

  test('no answer invites pages of other servers', async () => {
    const asked = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'DELETE' };
    const answer = await sendRaw(target.port, rawRequest('OPTIONS', CONFIG_MAPS, asked));
    expect(answer.text.toLowerCase()).not.toContain('access-control-allow');
  });

  test('an explanation is not for pages of other servers', async () => {
    const path = '/debug/explain/deployment/default/web';
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await sendRaw(target.port, rawRequest('GET', path, { Host: host(), ...headers }))).status;
    expect([await ask({}), await ask({ 'Sec-Fetch-Site': 'same-site' })]).toEqual([404, 403]);
  });
});
