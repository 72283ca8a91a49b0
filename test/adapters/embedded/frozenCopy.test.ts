import { describe, expect, it } from 'vitest';
import { frozenCopy } from '../../../lambdas/adapters/embedded/frozenCopy.ts';

const { freeze } = Object;

describe('a frozen copy', () => {
  it.each([
    ['a member that is undefined', { a: 1, b: undefined }],
    ['a hole in a list', [1, undefined, 2]],
    ['numbers that JSON does not have', [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ['a date', { at: new Date(0) }],
    ['a member that is named __proto__', JSON.parse('{"__proto__": {"a": 1}}')],
  ])('of %s is what its JSON gives back, frozen or not', (_what, value) => {
    const expected: unknown = JSON.parse(JSON.stringify(value));
    for (const one of [value, freeze(value)]) {
      const copy: unknown = frozenCopy(one);
      expect(copy).toStrictEqual(expected);
      expect(Object.isFrozen(copy)).toBe(true);
    }
  });

  it('shares what is deeply frozen, and freezes copies of the rest', () => {
    const spec = freeze({ containers: freeze([freeze({ name: 'app' })]) });
    const status = { phase: 'Running' };
    const copy = frozenCopy({ spec, status });
    expect(copy.spec).toBe(spec);
    expect(copy.status).not.toBe(status);
    expect([Object.isFrozen(copy), Object.isFrozen(copy.status), Object.isFrozen(status)]).toEqual([true, true, false]);
    expect(frozenCopy(copy)).toBe(copy);
  });

  it('shares what is still that of an earlier copy, and copies what has changed', () => {
    const earlier = frozenCopy({ metadata: { labels: { app: 'web' } }, status: { phase: 'Pending' } });
    const status = { phase: 'Running' };
    const copy = frozenCopy({ ...earlier, metadata: { ...earlier.metadata, name: 'web' }, status }, earlier);
    status.phase = 'Failed';
    expect(copy).toEqual({ metadata: { labels: { app: 'web' }, name: 'web' }, status: { phase: 'Running' } });
    expect(copy.metadata.labels).toBe(earlier.metadata.labels);
    expect([copy, copy.metadata, copy.status].every(Object.isFrozen)).toBe(true);
  });

  it('copies what is frozen only outside', () => {
    const inner = { a: 1 };
    const outer = freeze({ list: freeze([inner]) });
    const copy = frozenCopy(outer);
    inner.a = 2;
    expect(copy).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen(copy.list[0])).toBe(true);
  });
});
