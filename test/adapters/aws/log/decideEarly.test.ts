import { expect, test } from 'vitest';
import { decideEarly } from '../../../../lambdas/adapters/aws/log/decideEarly.ts';
import type { TracedChange } from '../../../../lambdas/ports/ChangeLog.ts';
import { sample } from '../../../contracts/objectStoreSamples.ts';

function at(version: number, name: string) {
  const object = sample(name);
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

const PLACE = { resource: 'configmaps' };
const added = (version: number, replaces?: number): TracedChange => ({
  ...PLACE,
  type: 'ADDED',
  version,
  after: at(version, 'a'),
  ...(replaces !== undefined && { replaces }),
});
const modified = (from: number, version: number): TracedChange => ({
  ...PLACE,
  type: 'MODIFIED',
  version,
  before: at(from, 'a'),
  after: at(version, 'a'),
});
const removed = (from: number, version: number): TracedChange => ({
  ...PLACE,
  type: 'DELETED',
  version,
  before: at(from, 'a'),
});

/** The log holds 5, 6 and 8; an epoch began at 3. */
const log = { isLogged: (version: number) => [5, 6, 8].includes(version), state: { epochPosition: 3 } };

test.each<[string, TracedChange[], number[]]>([
  ['a change whose predecessor is logged', [modified(5, 9)], [9]],
  ['not a change whose predecessor is not logged', [modified(7, 9)], []],
  ['a removal whose predecessor is logged', [removed(5, 9)], [9]],
  ['not a removal whose predecessor is not logged', [removed(7, 9)], []],
  ['an object whose name has no tombstone', [added(9)], [9]],
  ['an object that replaces a logged removal', [added(9, 8)], [9]],
  ['not an object that replaces a removal which is not logged', [added(9, 7)], []],
  ['a change whose predecessor is logged with it', [modified(5, 9), modified(9, 10), removed(10, 12)], [9, 10, 12]],
  ['not a change whose predecessor is left out itself', [modified(7, 9), modified(9, 10)], []],
  ['not what was written before the epoch', [added(2), modified(2, 9)], []],
  ['what was written after the epoch', [added(4), modified(4, 9)], [4, 9]],
  ['nothing of nothing', [], []],
])('a writer logs %s', (_, changes, expected) => {
  expect(decideEarly(changes, log).map(({ version }) => version)).toEqual(expected);
});
