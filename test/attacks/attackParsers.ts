import { expect, test } from 'vitest';
import { CONFIG_MAPS } from './attackFraming.ts';
import { rawRequest, sendRaw } from './sendRaw.ts';
import type { Target } from './targets.ts';

/** Everybody may create one, so a body needs no right to reach the parsers. */
const ACCESS_REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const JSON_TYPE = 'application/json';
const YAML = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const nested = (open: string, close: string, count: number) => open.repeat(count) + close.repeat(count);

/** The bytes of `k8s\0` and a runtime.Unknown around a message of about 80 kB, which need not be complete. */
function protobufOf(message: string): string {
  return `k8s\0\x12\x84\x80\x05${message}`;
}

/** Continue tokens that no server made: their places have no name, or one that is longer than the key of a table may be. */
const TOKENS: readonly (readonly [name: string, start: string])[] = [
  ['no name', 'default/'],
  ['a name of 5,000 characters', `default/${'a'.repeat(5_000)}`],
  ['a namespace of 5,000 characters', `${'a'.repeat(5_000)}/a`],
];

/** Texts that end a process whose parser recurses, or hold it up if it needs more than linear time. */
const BODIES: readonly (readonly [name: string, contentType: string, body: string])[] = [
  ['YAML of 1,000 brackets', YAML, '['.repeat(1_000)],
  ['YAML of 1,500 lists in lists', YAML, nested('[', ']', 1_500)],
  ['YAML of 5,000 braces', YAML, '{a: '.repeat(5_000)],
  ['YAML of 15,000 dashes', YAML, '- '.repeat(15_000)],
  ['YAML of 15,000 keys of keys', YAML, '? '.repeat(15_000)],
  ['YAML that repeats a key', YAML, 'a: b\n'.repeat(6_000)],
  ['YAML beyond the limit', YAML, 'a: b\n'.repeat(80_000)],
  ['JSON of 200,000 lists in lists', JSON_TYPE, nested('[', ']', 200_000)],
  ['JSON of 200,000 objects in objects', JSON_TYPE, nested('{"a":', '}', 200_000)],
  ['JSON of 1,000,000 brackets', JSON_TYPE, '['.repeat(1_000_000)],
  ['protobuf of 80 kB of times', PROTOBUF, protobufOf(`\x0a\x80\x80\x05${'B\x02\x08\x01'.repeat(20_480)}`)],
  ['protobuf of 40,000 empty owners', PROTOBUF, protobufOf(`\x0a\x80\xf1\x04${'j\0'.repeat(40_000)}`)],
];

/** Registers the tests of the parsers against a server that runs when they do. `user` needs no rights. */
export function attackParsers(target: () => Target, user: string): void {
  test.each(BODIES)('refuses %s, again and again', async (_, contentType, body) => {
    const headers = { ...target().as(user), 'Content-Type': contentType };
    for (const path of [ACCESS_REVIEWS, ACCESS_REVIEWS, CONFIG_MAPS]) {
      const { status, text } = await sendRaw(target().port, rawRequest('POST', path, headers, body));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(text.length).toBeLessThan(64_000);
    }
  });

  test.each(['2147483648', '9007199254740991', '99999999999999999999'])(
    'lists pages of up to %s objects',
    async (limit) => {
      const request = rawRequest('GET', `${CONFIG_MAPS}?limit=${limit}`, target().as('root'));
      expect([200, 400]).toContain((await sendRaw(target().port, request)).status);
    },
  );

  test.each(TOKENS)('refuses a token to continue after %s', async (_, start) => {
    const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start })).toString('base64url');
    const request = rawRequest('GET', `${CONFIG_MAPS}?limit=1&continue=${token}`, target().as('root'));
    expect((await sendRaw(target().port, request)).status).toBe(400);
  });

  test('answers the next client as before', async () => {
    expect((await sendRaw(target().port, rawRequest('GET', '/readyz', target().as('root')))).status).toBe(200);
  });
}
