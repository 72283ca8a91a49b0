import { expect, test } from 'vitest';
import { diffAsYaml } from '../../../infra/dashboard/views/diffAsYaml.ts';

const signed = (from: object, to: object) => diffAsYaml(from, to).map(({ sign, text }) => sign + text);

test.each([
  [
    'what both have stays',
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 5, c: 3, d: 4 },
    [' a: 1', '-b: 2', '+b: 5', ' c: 3', '+d: 4'],
  ],
  ['the order of fields is no change', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [
    'only two lines around a change are kept',
    { list: [1, 2, 3, 4, 5, 6, 7] },
    { list: [1, 2, 3, 9, 5, 6, 7] },
    ['   - 2', '   - 3', '-  - 4', '+  - 9', '   - 5', '   - 6'],
  ],
] as const)('%s', (_, from, to, lines) => {
  expect(signed(from, to)).toEqual(lines);
});
