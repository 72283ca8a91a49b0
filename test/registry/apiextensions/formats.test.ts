import { describe, expect, it } from 'vitest';
import { matchesFormat } from '../../../lambdas/registry/apiextensions/values/formats.ts';

/** Format, texts that have it, texts that do not. */
const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['uri', ['http://a.b/c?d=e', '/a', 'mailto:a@b'], ['', 'a/b', 'http://[::1', 'http://a b/', 'http://a:x/', '/%zz']],
  ['email', ['a@b.c', 'A B <a@b.c>', '"a b"@c'], ['a', '@b', 'a b@c', 'a@']],
  ['hostname', ['a', 'example.com', '1a.example.com'], ['', '-a', 'a_b', 'example..com', `${'a'.repeat(64)}.com`]],
  ['ipv4', ['1.2.3.4', '01.2.3.4'], ['1.2.3', '1.2.3.256', '::1']],
  ['ipv6', ['::1', '::ffff:1.2.3.4'], ['1.2.3.4', 'fe80::1%eth0', ':::']],
  ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33', '::/129']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab'], ['01:23', '01:23:45-67:89:ab']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567', '']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '9780321751042']],
  ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112', '1']],
  ['ssn', ['111-22-3333'], ['1112-2-3333']],
  ['hexcolor', ['#FFF', '00ff00'], ['#FFFF']],
  ['rgbcolor', ['rgb(1, 2,255)'], ['rgb(1,2,256)', 'rgb(01,2,3)']],
  ['byte', ['YWJj', 'YWI=', 'YQ=='], ['YQ=', 'Y', '!!!!']],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-2-1']],
  ['date-time', ['2024-02-29T23:59:59.5Z', '2024-02-29t00:00:00+01:00'], ['2024-02-29', '2024-02-29T24:00:00Z']],
  ['duration', ['1h30m', '-1.5s', '3 days', '0'], ['', 'x', '3', '3 moons']],
  ['k8s-short-name', ['a-b'], ['A', 'a.b', '-a']],
  ['k8s-long-name', ['a-b.c'], ['a..b', 'a.B']],
  ['an unknown one', ['anything'], []],
];

describe('matchesFormat', () => {
  it.each(CASES)('%s', (format, good, bad) => {
    expect(good.filter((text) => !matchesFormat(format, text))).toEqual([]);
    expect(bad.filter((text) => matchesFormat(format, text))).toEqual([]);
  });
});
