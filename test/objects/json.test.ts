import * as fc from '../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import { copyJson, jsonEqual } from '../../lambdas/objects/json.ts';

describe('JSON', () => {
  it('a copy equals its original', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonEqual(copyJson(value), value)).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: null }, {}, true],
    [{ a: [] }, {}, true],
    [{ a: {} }, {}, false],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{}, { constructor: 1 }, false],
  ])('%j equals %j: %j', (a, b, expected) => {
    expect([jsonEqual(a, b), jsonEqual(b, a)]).toEqual([expected, expected]);
  });

  it('a copy keeps a key named __proto__ as a key', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(copyJson(hostile))).toEqual(['__proto__']);
    expect(copyJson(hostile)).not.toHaveProperty('polluted');
  });
});
