import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  roundUpToMilli,
} from '../../../lambdas/objects/quantities/quantity.ts';

function parse(text: unknown): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${String(text)} is no quantity`);
  return quantity;
}

describe('parsing and writing quantities', () => {
  // Rows as in apimachinery's resource.Quantity: no fraction, and the largest suffix of the family that loses nothing.
  it.each<[string | number, string]>([
    ['0', '0'],
    ['0Gi', '0'],
    ['1', '1'],
    [1, '1'],
    [0.5, '500m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1023Ki', '1023Ki'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.5Mi', '512Ki'],
    ['1.1Ki', '1126400m'],
    ['1e3', '1e3'],
    ['12e2', '1200'],
    ['2E6', '2e6'],
    ['1E', '1E'],
    ['100000k', '100M'],
    ['-1Mi', '-1Mi'],
    ['+2', '2'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1e999999999', '9223372036854775807'],
    ['1e-999999999', '1e-9'],
    ['0e999999999', '0'],
  ])('%j is written as %j', (text, expected) => {
    expect(formatQuantity(parse(text))).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '1 Gi',
    'Gi',
    '1gi',
    '1K',
    '1mi',
    '--1',
    '1..2',
    '1e',
    '1e1.5',
    '0x10',
    'NaN',
    null,
    {},
    Number.NaN,
  ])('%j is not a quantity', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });
});

describe('arithmetic on quantities', () => {
  const quantities = fc
    .tuple(fc.integer(), fc.constantFrom('', 'm', 'k', 'Mi', 'Gi', 'e3', 'u'))
    .map(([number, suffix]) => parse(`${number}${suffix}`));

  it('a quantity that is written and parsed again has the same value', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        expect(compareQuantities(parse(formatQuantity(quantity)), quantity)).toBe(0);
      }),
    );
  });

  it('addition is exact', () => {
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        const sum = addQuantities(a, b);
        expect(compareQuantities({ ...sum, nanos: sum.nanos - b.nanos }, a)).toBe(0);
      }),
    );
  });

  it('rounding to thousandths goes away from zero', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        const rounded = roundUpToMilli(quantity);
        expect(rounded.nanos % 1_000_000n).toBe(0n);
        expect(quantity.nanos < 0n ? rounded.nanos <= quantity.nanos : rounded.nanos >= quantity.nanos).toBe(true);
      }),
    );
  });

  it.each([
    ['0.1', '0.2', '300m'],
    ['1Gi', '1', '1073741825'],
    ['0', '1Gi', '1Gi'],
    ['1k', '24', '1024'],
  ])('%s + %s = %s', (a, b, sum) => {
    expect(formatQuantity(addQuantities(parse(a), parse(b)))).toBe(sum);
  });
});
