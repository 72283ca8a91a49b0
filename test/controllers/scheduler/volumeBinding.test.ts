import { ClusterPods } from '../../../lambdas/controllers/scheduler/framework/ClusterPods.ts';
import { describe, expect, test } from 'vitest';
import type { Claim, StorageCapacity, Volume } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import { decideSchedule } from '../../../lambdas/controllers/scheduler/decideSchedule.ts';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import { cluster, info, node, placeOf, pod, type PodParts } from './schedulerObjects.ts';
import { claim, csiDriver, storageCapacity, storageClass, volume, volumesOf, ZONE } from './volumeObjects.ts';

const NODES = ['a', 'b'].map((zone) => node(zone, { labels: { [ZONE]: zone } }));
const CLASSES = [
  storageClass('now', 'Immediate', 'example.com/disk'),
  storageClass('late', 'WaitForFirstConsumer', 'example.com/disk'),
  storageClass('local', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner'),
];
const SIZES = ['4Gi', '1Gi', '2Gi'];

/** What is decided about a pod with the claim `data`, in short. */
function decided(
  given: Claim | undefined,
  volumes: readonly Volume[] = [],
  mount: object = { persistentVolumeClaim: { claimName: 'data' } },
  plugin = 'VolumeBinding',
): string {
  const parts: PodParts = { spec: { volumes: [{ name: 'v', ...mount }] } };
  const known = volumesOf({ claims: given ? [given] : [], volumes, classes: CLASSES });
  const decision = schedulePod(info('new', parts), cluster(NODES, [], {}, known));
  if (decision.decision === 'provision') {
    const names = decision.volumes.bindings.map((one) => one.volume.metadata.name);
    return [`provision ${decision.node.metadata.name}`, ...names].join(': ');
  }
  if (decision.decision === 'bind') return `bind ${decision.node.metadata.name}`;
  expect(decision.waitsFor).toEqual([plugin]);
  return decision.message.split(' preemption:')[0] ?? '';
}

describe('a pod with a claim', () => {
  const none = (why: string) => `0/2 nodes are available: ${why}.`;
  test.each<[string, Claim | undefined, readonly Volume[], string]>([
    ['waits for the claim', undefined, [], none('persistentvolumeclaim "data" not found')],
    [
      'waits for a volume',
      claim({ storageClassName: 'now' }),
      [],
      none('pod has unbound immediate PersistentVolumeClaims'),
    ],
    [
      'waits for a volume if there is no class',
      claim({}),
      [],
      none('pod has unbound immediate PersistentVolumeClaims'),
    ],
    [
      'waits while the claim is being deleted',
      claim({ volumeName: 'disk' }, 'Bound', { deletionTimestamp: 'x' }),
      [volume('disk')],
      none('persistentvolumeclaim "data" is being deleted'),
    ],
    [
      'waits if its volume is lost',
      claim({ volumeName: 'disk' }, 'Lost'),
      [],
      none('persistentvolumeclaim "data" bound to non-existent persistentvolume "disk"'),
    ],
    ['goes where its volume is', claim({ volumeName: 'disk' }, 'Bound'), [volume('disk', 'b')], 'bind b'],
    [
      'goes nowhere if no node has its volume',
      claim({ volumeName: 'disk' }, 'Bound'),
      [volume('disk', 'c')],
      none("2 node(s) didn't match PersistentVolume's node affinity"),
    ],
    [
      'waits while a volume is only meant for it',
      claim({ storageClassName: 'now', volumeName: 'disk' }),
      [volume('disk')],
      none('pod has unbound immediate PersistentVolumeClaims'),
    ],
    [
      'has a volume made for the node that was chosen',
      claim({ storageClassName: 'late' }, 'Pending', { annotations: { 'volume.kubernetes.io/selected-node': 'b' } }),
      [],
      'provision b',
    ],
    [
      'waits if nobody makes volumes',
      claim({ storageClassName: 'local' }),
      [],
      none("2 node(s) didn't find available persistent volumes to bind"),
    ],
  ])('%s', (_what, given, volumes, expected) => {
    expect(decided(given, volumes)).toBe(expected);
  });

  const local = (size = '1Gi', name = 'data') =>
    claim(
      { storageClassName: 'local', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: size } } },
      'Pending',
      { name },
    );
  const disk = (name: string, zone: string, facts: object = {}) =>
    volume(name, zone, {
      storageClassName: 'local',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '2Gi' },
      ...facts,
    });
  const noVolume = none("2 node(s) didn't find available persistent volumes to bind");

  test.each<[string, readonly Volume[], string]>([
    ['gets a volume that exists, where it can be used', [disk('one', 'b')], 'provision b: one'],
    [
      'gets the smallest that is large enough',
      SIZES.map((size) => disk(size, 'b', { capacity: { storage: size } })),
      'provision b: 1Gi',
    ],
    ['gets none that is too small', [disk('one', 'b', { capacity: { storage: '512Mi' } })], noVolume],
    ['gets none of another class', [disk('one', 'b', { storageClassName: 'other' })], noVolume],
    ['gets none without its access mode', [disk('one', 'b', { accessModes: ['ReadOnlyMany'] })], noVolume],
    ['gets none of another mode', [disk('one', 'b', { volumeMode: 'Block' })], noVolume],
    ['gets none of another claim', [disk('one', 'b', { claimRef: { namespace: 'default', name: 'other' } })], noVolume],
    [
      'gets the one that is reserved for it',
      [disk('one', 'a'), disk('two', 'b', { claimRef: { namespace: 'default', name: 'data' } })],
      'provision b: two',
    ],
  ])('of a class without a provisioner %s', (_, volumes, expected) => {
    expect(decided(local(), volumes)).toBe(expected);
  });

  test('of a class with a provisioner gets a volume that exists, before one is made', () => {
    const late = claim({ storageClassName: 'late', resources: { requests: { storage: '1Gi' } } });
    expect(decided(late, [disk('one', 'b', { storageClassName: 'late' })])).toMatch(/^provision (a|b: one)$/);
    expect(
      decided(late, [disk('one', 'a', { storageClassName: 'late' }), disk('two', 'b', { storageClassName: 'late' })]),
    ).toMatch(/^provision (a: one|b: two)$/);
  });

  test('is kept from nodes that its class does not allow', () => {
    const terms = [{ matchLabelExpressions: [{ key: ZONE, values: ['b'] }] }];
    const only = { ...storageClass('only', 'WaitForFirstConsumer', 'example.com/disk'), allowedTopologies: terms };
    const known = volumesOf({ claims: [claim({ storageClassName: 'only' })], classes: [only] });
    const spec = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
    expect(placeOf(schedulePod(info('new', { spec }), cluster(NODES, [], {}, known)))).toBe('b');
  });

  describe('for which a driver that says how much room it has is to make a volume', () => {
    const noSpace = none('2 node(s) did not have enough free storage');
    const away = { capacity: '10Gi', maximumVolumeSize: '1Gi' };
    test.each<[string, readonly StorageCapacity[], string]>([
      ['goes where there is room', [storageCapacity('late', { capacity: '2Gi' }, { [ZONE]: 'b' })], 'provision b'],
      ['waits while nothing is known of any room', [], noSpace],
      ['waits while there is too little room', [storageCapacity('late', { capacity: '1Gi' })], noSpace],
      ['waits if the largest volume would be too small', [storageCapacity('late', away)], noSpace],
      ['finds no room of another class', [storageCapacity('other', { capacity: '2Gi' })], noSpace],
    ])('%s', (_, capacities, expected) => {
      const late = claim({ storageClassName: 'late', resources: { requests: { storage: '2Gi' } } });
      const storage = { claims: [late], classes: CLASSES, csiDrivers: [csiDriver('example.com/disk')], capacities };
      const spec = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
      const decision = schedulePod(info('new', { spec }), cluster(NODES, [], {}, volumesOf(storage)));
      const found = decision.decision === 'wait' ? decision.message : `provision ${decision.node.metadata.name}`;
      expect(found.split(' preemption:')[0]).toBe(expected);
    });
  });

  test('shares no volume with another pod about which the same sync decides', () => {
    const claims = ['one', 'two'].map((name) => local('1Gi', name));
    const known = volumesOf({ claims, volumes: [disk('disk', 'b')], classes: CLASSES });
    const pods = ['one', 'two'].map((claimName) =>
      pod(claimName, { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] } }),
    );
    const { decisions } = decideSchedule({
      pods: ClusterPods.of(pods),
      cluster: cluster(NODES, [], {}, known),
      budgets: [],
      isLeft: () => false,
      mayRepel: true,
      limit: 10,
    });
    expect(decisions.map(({ decided: { decision } }) => decision)).toEqual(['provision', 'wait']);
  });

  test('goes nowhere if its volume does not exist', () => {
    const mount = { persistentVolumeClaim: { claimName: 'data' } };
    const lost = claim({ volumeName: 'disk' }, 'Bound');
    expect(decided(lost, [], mount, 'VolumeZone')).toBe(none('persistentvolume "disk" not found'));
  });

  test('has a volume made for the node that is best', () => {
    expect(decided(claim({ storageClassName: 'late' }))).toMatch(/^provision [ab]$/);
  });

  test('waits until a claim is made for it', () => {
    expect(decided(undefined, [], { ephemeral: { volumeClaimTemplate: { spec: {} } } })).toBe(
      none('waiting for ephemeral volume controller to create the persistentvolumeclaim "new-v"'),
    );
  });
});
