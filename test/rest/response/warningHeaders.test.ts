import { describe, expect, test } from 'vitest';
import { warningHeaders } from '../../../lambdas/rest/response/warningHeaders.ts';

describe('warningHeaders', () => {
  const long = 'x'.repeat(1_000);

  test.each<[string, readonly string[], readonly string[]]>([
    ['no warning makes no header', [], []],
    ['a text is quoted', ['unknown field "a\\b"'], ['299 - "unknown field \\"a\\\\b\\""']],
    ['characters outside ASCII become spaces', ['é\n'], ['299 - "  "']],
    ['a text comes once', ['a', 'b', 'a'], ['299 - "a"', '299 - "b"']],
    [
      'four thousand characters are sent whole',
      [`1${long}`, `2${long}`, `3${long}`, `4${long}`],
      [`299 - "1${long}"`, `299 - "2${long}"`, `299 - "3${long}"`, `299 - "4${long}"`],
    ],
  ])('%s', (_, warnings, headers) => {
    expect(warningHeaders(warnings)).toEqual(headers);
  });

  test('texts that are too long together are cut to 256 characters each, and no more than 4,096 in all', () => {
    const headers = warningHeaders(Array.from({ length: 100 }, (_, index) => `${index} ${long}`));
    expect(headers).toHaveLength(16);
    expect(headers.every((header) => header.length === '299 - ""'.length + 256)).toBe(true);
  });
});
