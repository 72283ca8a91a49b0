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

  it('shares what equals a part of a similar copy', () => {
    const one = frozenCopy({ labels: { app: 'web' }, ports: [{ port: 80 }, { port: 81 }], name: 'a' });
    const two = frozenCopy({ labels: { app: 'web' }, ports: [{ port: 80 }, { port: 82 }], name: 'b' }, one);
    expect(two).toEqual({ labels: { app: 'web' }, ports: [{ port: 80 }, { port: 82 }], name: 'b' });
    expect(two.labels).toBe(one.labels);
    expect(two.ports[0]).toBe(one.ports[0]);
    expect([two.ports, two.ports[1]].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['a member more', { a: 1 }, { a: 1, b: 2 }],
    ['a member that is undefined', { a: 1 }, { a: 1, b: undefined }],
    ['a list for an object', { a: {} }, { a: [] }],
    ['a date for an empty object', { a: {} }, { a: new Date(0) }],
    ['a shorter list', { a: [1, 2] }, { a: [1] }],
    ['null for an object', { a: {} }, { a: null }],
    ['a member that is named __proto__', { a: 1 }, JSON.parse('{"__proto__": {}, "a": 1}')],
  ])('is as its JSON if the similar copy differs in %s', (_what, similar, value: unknown) => {
    const copy: unknown = frozenCopy(value, frozenCopy(similar));
    expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
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
