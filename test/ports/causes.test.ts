import { describe, expect, test } from 'vitest';
import { areSeen, causeOf, type Causes, decodeCauses, encodeCauses, newestCauses } from '../../lambdas/ports/Causes.ts';
import { array, assert, constantFrom, integer, property, tuple } from '../support/seededFastCheck.ts';

const change = tuple(constantFrom('pods', 'replicasets.apps', 'endpointslices.discovery.k8s.io'), integer({ min: 1 }));
const causes = array(change).map(
  (all): Causes => new Set(all.map(([resource, version]) => causeOf({ resource, version }))),
);

describe('the causes of a message', () => {
  test('are read as they were written, or were too many to be written', () => {
    assert(
      property(causes, (all) => {
        const text = encodeCauses(all);
        expect(text === undefined || text.length <= 400).toBe(true);
        if (text !== undefined) expect(decodeCauses(text)).toEqual(all);
      }),
    );
  });

  test('are few characters if their versions are neighbours', () => {
    const versions = Array.from({ length: 500 }, (_, at) => `pods ${1_000_000 + at}`);
    expect(encodeCauses(new Set(versions))).toBe('pods:1000000-1000499');
  });

  test.each(['', 'pods', 'pods:', 'pods:x', 'pods:5-3', 'pods:1-99999999', ':', `pods:${'1,'.repeat(500)}`])(
    '%j names none',
    (text) => {
      expect(decodeCauses(text)).toEqual(new Set());
    },
  );

  test('are kept from the newest on as far as there is room', () => {
    const all = Array.from({ length: 300 }, (_, at) => `pods ${at * 7}`);
    const kept = [...newestCauses(new Set(all))];
    expect(kept.length).toBeGreaterThan(30);
    expect(kept).toEqual(all.slice(-kept.length));
    expect(encodeCauses(new Set(kept))).toBeDefined();
  });

  test('are seen only if all of them are, and if there are any', () => {
    const seen: Causes = new Set(['pods 1', 'pods 2']);
    expect(areSeen(new Set(['pods 1']), seen)).toBe(true);
    expect(areSeen(new Set(['pods 1', 'pods 3']), seen)).toBe(false);
    expect(areSeen(new Set(['replicasets.apps 1']), seen)).toBe(false);
    expect(areSeen(new Set(), seen)).toBe(false);
    expect(areSeen(undefined, seen)).toBe(false);
    expect(areSeen(new Set(['pods 1']), undefined)).toBe(false);
  });
});
