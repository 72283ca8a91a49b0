import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { decodeFieldSet, encodeFieldSet } from '../../../lambdas/registry/fieldmanager/encodeFieldSet.ts';
import { FieldManagerError } from '../../../lambdas/registry/fieldmanager/FieldManagerError.ts';
import { FieldSet } from '../../../lambdas/registry/fieldmanager/FieldSet.ts';
import {
  fieldElement,
  type FieldPath,
  indexElement,
  keyElement,
  type PathElement,
  pathText,
  sortByElement,
  valueElement,
} from '../../../lambdas/registry/fieldmanager/pathElement.ts';

const scalars = fc.oneof(fc.constantFrom('a', 'b', '', '"', '<é>'), fc.integer({ min: -3, max: 99 }), fc.boolean());
const elements = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '.', '__proto__').map(fieldElement),
  fc.dictionary(fc.constantFrom('name', 'port'), scalars, { minKeys: 1 }).map(keyElement),
  scalars.map(valueElement),
  fc.nat(3).map(indexElement),
);
const paths = fc.array(elements, { minLength: 1, maxLength: 4 });
const sets = fc.array(paths, { maxLength: 12 }).map((list) => FieldSet.of(...list));

const keysOf = (set: FieldSet) => [...set.paths()].map((path) => JSON.stringify(path));

describe('sets of fields', () => {
  test('union, intersection and difference are those of their paths', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const [left, right] = [new Set(keysOf(a)), new Set(keysOf(b))];
        expect(new Set(keysOf(a.union(b)))).toEqual(new Set([...left, ...right]));
        expect(new Set(keysOf(a.intersection(b)))).toEqual(new Set([...left].filter((key) => right.has(key))));
        expect(new Set(keysOf(a.difference(b)))).toEqual(new Set([...left].filter((key) => !right.has(key))));
      }),
    );
  });

  test('a difference with all that lies below keeps a path unless it or its start is a member', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const startsIn = (path: FieldPath) => path.some((_, index) => b.has(path.slice(0, index + 1)));
        const expected = [...a.paths()].filter((path) => !startsIn(path));
        expect([...a.differenceBelow(b).paths()]).toEqual(expected);
      }),
    );
  });

  test('a set has as many paths as its size says, contains each of them, and equals the set of them', () => {
    fc.assert(
      fc.property(sets, (set) => {
        const all = [...set.paths()];
        expect([set.size, set.isEmpty]).toEqual([all.length, all.length === 0]);
        expect(all.every((path) => set.has(path))).toBe(true);
        expect(FieldSet.of(...all).equals(set)).toBe(true);
      }),
    );
  });

  test('fieldsV1 is read back as the set that it was written from, whatever the order of its members', () => {
    fc.assert(
      fc.property(sets, (set) => {
        const fields = encodeFieldSet(set);
        expect(decodeFieldSet(JSON.parse(JSON.stringify(fields))).equals(set)).toBe(true);
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        expect(JSON.stringify(encodeFieldSet(decodeFieldSet(reversed)))).toBe(JSON.stringify(fields));
      }),
    );
  });

  test('steps are sorted in the same way, whatever their order was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(elements), (list) => {
        const sorted = (some: readonly PathElement[]) =>
          sortByElement(some.map((element) => [element, 0])).map(([element]) => element);
        expect(sorted(list.toReversed())).toEqual(sorted(list));
      }),
    );
  });
});

describe('fieldsV1', () => {
  test('has Kubernetes order: fields, then keyed items by the values of their keys, then items of sets, then places', () => {
    const set = FieldSet.of(
      [indexElement(2)],
      [indexElement(10)],
      [valueElement('b')],
      [valueElement(3)],
      [keyElement({ port: 81, name: 'x' })],
      [keyElement({ name: 'x', port: 9 })],
      [fieldElement('z')],
      [fieldElement('a'), fieldElement('b')],
    );
    expect(Object.keys(encodeFieldSet(set))).toEqual([
      'f:a',
      'f:z',
      'k:{"name":"x","port":9}',
      'k:{"name":"x","port":81}',
      'v:3',
      'v:"b"',
      'i:2',
      'i:10',
    ]);
  });

  test('writes a step that is owned itself, and has more below it, with a dot', () => {
    const set = FieldSet.of(['f:a'], ['f:a', 'f:b'], ['f:c', 'f:d']);
    expect(encodeFieldSet(set)).toEqual({ 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } });
  });

  test('a kind of step that only a newer Kubernetes may know is left out', () => {
    expect(encodeFieldSet(decodeFieldSet({ 'x:new': {}, 'f:a': {} }))).toEqual({ 'f:a': {} });
  });

  test.each([
    ['no object', 'text'],
    ['a list', []],
    ['a step without a colon', { fa: {} }],
    ['a step of one letter', { f: {} }],
    ['keys that are not JSON', { 'k:{': {} }],
    ['keys that are no object', { 'k:1': {} }],
    ['a place that is no number', { 'i:x': {} }],
    ['a value that is no object', { 'f:a': 1 }],
  ])('%s cannot be read', (_, fields) => {
    expect(() => decodeFieldSet(fields)).toThrow(FieldManagerError);
  });
});

test('a path is printed as Kubernetes prints it', () => {
  const path = [
    fieldElement('spec'),
    keyElement({ containerPort: 80, protocol: 'TCP' }),
    valueElement('x'),
    indexElement(1),
  ];
  expect(pathText(path)).toBe('.spec[containerPort=80,protocol="TCP"][="x"][1]');
});
