import * as fc from '../../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { decodeVersions, encodeVersions } from '../../../../lambdas/adapters/aws/log/encodeVersions.ts';
import { LoggedVersions } from '../../../../lambdas/adapters/aws/log/LoggedVersions.ts';
import { CHUNK_VERSIONS, chunkOf, VersionSet } from '../../../../lambdas/adapters/aws/log/VersionSet.ts';

const version = fc.oneof(
  fc.integer({ min: 1, max: 3 * CHUNK_VERSIONS }),
  fc.integer({ min: CHUNK_VERSIONS - 20, max: CHUNK_VERSIONS + 20 }),
);

describe('a set of versions', () => {
  test('holds what was added and nothing else, across the borders of its bitmaps', () => {
    fc.assert(
      fc.property(fc.array(version), fc.array(version), (added, asked) => {
        const versions = new VersionSet();
        for (const one of added) versions.add(one);
        for (const one of [...added, ...asked]) expect(versions.has(one)).toBe(added.includes(one));
      }),
    );
  });

  test('a chunk that is filled up to a version holds exactly the versions up to it', () => {
    fc.assert(
      fc.property(version, version, (last, asked) => {
        const versions = new VersionSet();
        for (let chunk = 0; chunk < 4; chunk += 1) versions.fill(chunk, last);
        expect(versions.has(asked)).toBe(asked <= last);
        expect(versions.has(last)).toBe(true);
        expect(versions.has(last + 1)).toBe(false);
      }),
    );
  });

  test('versions are encoded and decoded without loss', () => {
    const versions = fc.uniqueArray(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { maxLength: 50 });
    fc.assert(
      fc.property(versions, (some) => {
        const sorted = [...some].sort((a, b) => a - b);
        expect(decodeVersions(encodeVersions(sorted))).toEqual(sorted);
      }),
    );
  });

  test('a thousand versions among those of fifteen other shards take less than a kilobyte', () => {
    const versions = Array.from({ length: 1000 }, (_, n) => 9_000_000_000 + 16 * n + ((n * 7919) % 16));
    expect(encodeVersions(versions).length).toBeLessThan(1_000);
  });
});

describe('which versions are logged', () => {
  test('is known exactly by a process that began at any head, with the bitmaps stored there', () => {
    const scenario = fc.record({
      before: fc.array(fc.uniqueArray(version, { minLength: 1, maxLength: 9 }), { maxLength: 8 }),
      after: fc.array(fc.uniqueArray(version, { minLength: 1, maxLength: 9 }), { maxLength: 8 }),
      asked: fc.array(version),
    });
    fc.assert(
      fc.property(scenario, ({ before, after, asked }) => {
        const first = new LoggedVersions(0, 0);
        for (const segment of before) first.add(segment);
        const base = Math.max(0, ...before.flat());
        const touched = Array.from({ length: chunkOf(base) + 1 }, (_, chunk) => chunk);
        const stored = new Map(touched.map((chunk) => [chunk, first.bitsOf(chunk)]));
        const second = new LoggedVersions(base, 0);
        for (const segment of after) second.add(segment);
        if (base > 0) expect(second.mustLoad(base)).toBe(true);
        second.load(stored);
        const logged = new Set([...before.flat(), ...after.flat()]);
        for (const one of [...logged, ...asked]) {
          expect(second.mustLoad(one)).toBe(false);
          expect(second.isLogged(one)).toBe(logged.has(one));
        }
      }),
    );
  });

  test('a chunk without a stored bitmap is complete up to the head, and no further', () => {
    const versions = new LoggedVersions(100, 0);
    versions.load(new Map());
    expect([1, 100, 101].map((one) => versions.isLogged(one))).toEqual([true, true, false]);
    versions.add([102]);
    const again = new LoggedVersions(102, 0);
    again.load(new Map([[0, versions.bitsOf(0)]]));
    expect([100, 101, 102].map((one) => again.isLogged(one))).toEqual([true, false, true]);
  });

  test('settled versions count as logged and need no bitmap', () => {
    const versions = new LoggedVersions(2 * CHUNK_VERSIONS, CHUNK_VERSIONS);
    expect(versions.mustLoad(CHUNK_VERSIONS)).toBe(false);
    expect(versions.isLogged(CHUNK_VERSIONS)).toBe(true);
    expect(versions.mustLoad(CHUNK_VERSIONS + 1)).toBe(true);
    versions.settle(2 * CHUNK_VERSIONS + 5);
    expect(versions.mustLoad(CHUNK_VERSIONS + 1)).toBe(false);
    expect(versions.isLogged(2 * CHUNK_VERSIONS + 5)).toBe(true);
    expect(versions.isLogged(2 * CHUNK_VERSIONS + 6)).toBe(false);
  });
});
