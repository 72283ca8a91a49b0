import { describe, expect, test } from 'vitest';
import {
  findMatchingVolume,
  volumeMismatch,
} from '../../../lambdas/controllers/persistentvolume/findMatchingVolume.ts';
import type { Volume } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import { claim, volume } from '../scheduler/volumeObjects.ts';

type Facts = Parameters<typeof volume>[2];

const CLAIM = claim({
  storageClassName: 'disks',
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
});
const disk = (name: string, facts: Facts = {}): Volume =>
  volume(name, undefined, {
    storageClassName: 'disks',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '2Gi' },
    ...facts,
  });
const reservedFor = (name: string, uid?: string) => ({
  claimRef: { namespace: 'default', name, ...(uid !== undefined && { uid }) },
});
const released: Volume = { ...disk('released'), status: { phase: 'Released' } };
const leaving: Volume = {
  ...disk('leaving'),
  metadata: { ...disk('leaving').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
};

describe('a claim gets', () => {
  test.each<[string, readonly Volume[], string | undefined]>([
    ['nothing where no volume is', [], undefined],
    ['a volume that suits', [disk('one')], 'one'],
    ['the smallest that is large enough', [disk('large', { capacity: { storage: '1Ti' } }), disk('small')], 'small'],
    ['none that is too small', [disk('one', { capacity: { storage: '1G' } })], undefined],
    ['none of another class', [disk('one', { storageClassName: 'others' })], undefined],
    ['none without its access mode', [disk('one', { accessModes: ['ReadOnlyMany'] })], undefined],
    [
      'the one with the fewest access modes, though it is larger',
      [disk('many', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }), disk('few', { capacity: { storage: '4Gi' } })],
      'few',
    ],
    ['none of another mode', [disk('one', { volumeMode: 'Block' })], undefined],
    ['none that is not free', [released], undefined],
    ['none that is being deleted', [leaving], undefined],
    [
      'the one that is reserved for it, whatever its class',
      [disk('small'), disk('own', { ...reservedFor('data'), storageClassName: '' })],
      'own',
    ],
    ['none that is reserved for another claim', [disk('one', reservedFor('other'))], undefined],
    ['none that was reserved for a claim of its name before', [disk('one', reservedFor('data', 'earlier'))], undefined],
  ])('%s', (_, volumes, expected) => {
    expect(findMatchingVolume(CLAIM, volumes)?.metadata.name).toBe(expected);
  });

  test('only what its selector selects', () => {
    const selecting = claim({ ...CLAIM.spec, selector: { matchLabels: { tier: 'fast' } } });
    const volumes = [disk('slow'), disk('fast', { labels: { tier: 'fast' } })];
    expect(findMatchingVolume(selecting, volumes)?.metadata.name).toBe('fast');
  });

  test('nothing that is free, if only what is reserved for it is looked for', () => {
    const volumes = [disk('free'), disk('own', reservedFor('data'))];
    expect(findMatchingVolume(CLAIM, volumes, { isReservedOnly: true })?.metadata.name).toBe('own');
    expect(findMatchingVolume(CLAIM, [disk('free')], { isReservedOnly: true })).toBeUndefined();
  });
});

describe('a volume that a claim names', () => {
  test.each<[string, Facts, string | undefined]>([
    ['suits', {}, undefined],
    ['is too small', { capacity: { storage: '1' } }, 'requested PV is too small'],
    ['is of another class', { storageClassName: '' }, 'storageClassName does not match'],
    ['is of another mode', { volumeMode: 'Block' }, 'incompatible volumeMode'],
    ['lacks an access mode', { accessModes: [] }, 'incompatible accessMode'],
  ])('%s', (_, facts, expected) => {
    expect(volumeMismatch(disk('one', facts), CLAIM)).toBe(expected);
  });
});
