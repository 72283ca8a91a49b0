import { describe, expect, test } from 'vitest';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import type { Volumes } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import { cluster, info, node, placeOf, pod, type PodParts } from './schedulerObjects.ts';
import { boundClaim, claim, csiNode, storageClass, volume, volumesOf, ZONE } from './volumeObjects.ts';

type Mount = NonNullable<NonNullable<NonNullable<PodParts['spec']>['volumes']>[number]>;

const mounts = (...volumes: Partial<Mount>[]): Partial<NonNullable<PodParts['spec']>> => ({
  volumes: volumes.map((one, at) => ({ name: `v${at}`, ...one })),
});
const uses = (...claims: string[]) => mounts(...claims.map((claimName) => ({ persistentVolumeClaim: { claimName } })));

describe('VolumeRestrictions', () => {
  const gce = (readOnly: boolean): Partial<Mount> => ({ gcePersistentDisk: { pdName: 'disk', readOnly } });
  const aws: Partial<Mount> = { awsElasticBlockStore: { volumeID: 'vol-1', readOnly: true } };
  const iscsi = (iqn: string, readOnly = false): Partial<Mount> => ({
    iscsi: { iqn, readOnly, lun: 0, targetPortal: 'p' },
  });
  const rbd = (monitors: string[], image = 'image', readOnly = false): Partial<Mount> => ({
    rbd: { monitors, image, readOnly, pool: 'rbd' },
  });

  const noDisk =
    '0/1 nodes are available: 1 node(s) had no available disk. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';

  test.each<[string, Partial<Mount>, Partial<Mount>, string]>([
    ['keeps a writer from a disk that is read', gce(false), gce(true), noDisk],
    ['lets readers share a disk', gce(true), gce(true), 'a'],
    ['lets nobody share a volume of EBS', aws, aws, noDisk],
    ['keeps a target of iSCSI for one writer', iscsi('x'), iscsi('x', true), noDisk],
    ['knows targets of iSCSI by their name', iscsi('x'), iscsi('y'), 'a'],
    ['knows an image of Ceph by one common monitor', rbd(['m1', 'm2']), rbd(['m2', 'm3']), noDisk],
    ['knows images of Ceph on different monitors apart', rbd(['m1']), rbd(['m2']), 'a'],
    ['knows images of Ceph apart', rbd(['m1'], 'one'), rbd(['m1'], 'two'), 'a'],
    ['does not confuse disks of different kinds', gce(false), aws, 'a'],
    ['says nothing of other volumes', { emptyDir: {} }, { emptyDir: {} }, 'a'],
  ])('%s', (_, asked, taken, expected) => {
    const held = pod('held', { on: 'a', spec: mounts(taken) });
    expect(placeOf(schedulePod(info('new', { spec: mounts(asked) }), cluster([node('a')], [held])))).toBe(expected);
  });

  const exclusive = claim({ volumeName: 'disk', accessModes: ['ReadWriteOncePod'] }, 'Bound');
  const shared = claim({ volumeName: 'disk', accessModes: ['ReadWriteOnce'] }, 'Bound');
  const inUse =
    '0/2 nodes are available: 2 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode.';

  test.each<[string, PodParts, typeof exclusive, string]>([
    ['gives a claim of ReadWriteOncePod to one pod only, on whichever node', { spec: uses('data') }, exclusive, inUse],
    ['lets pods share other claims', { spec: uses('data') }, shared, 'bind'],
    ['does not confuse claims of other namespaces', { spec: uses('data'), namespace: 'b' }, exclusive, 'bind'],
  ])('%s', (_, held, given, expected) => {
    const volumes = volumesOf({ claims: [given], volumes: [volume('disk')] });
    const decision = schedulePod(
      info('new', { spec: uses('data') }),
      cluster([node('a'), node('b')], [pod('held', { ...held, on: 'a' })], {}, volumes),
    );
    expect(decision.decision === 'wait' ? decision.message.split(' preemption')[0] : decision.decision).toBe(expected);
  });

  test('lets a more important pod take the claim', () => {
    const volumes = volumesOf({ claims: [exclusive], volumes: [volume('disk')] });
    const held = pod('held', { on: 'a', spec: uses('data') });
    const urgent = info('new', { spec: { ...uses('data'), priority: 10 } });
    const decision = schedulePod(urgent, cluster([node('a')], [held], {}, volumes));
    expect(decision).toMatchObject({ decision: 'wait', nominatedNodeName: 'a', waitsFor: ['VolumeRestrictions'] });
  });
});

describe('VolumeZone', () => {
  const BETA = 'failure-domain.beta.kubernetes.io/zone';
  const wrong =
    '0/1 nodes are available: 1 node(s) had no available volume zone. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['lets a pod go to the zone of its volume', { [ZONE]: 'z1' }, { [ZONE]: 'z1' }, 'a'],
    ['keeps a pod from other zones', { [ZONE]: 'z1' }, { [ZONE]: 'z2' }, wrong],
    [
      'keeps a pod from a node whose zone is unknown',
      { [ZONE]: 'z1' },
      { 'topology.kubernetes.io/region': 'r' },
      wrong,
    ],
    ['lets a pod go to a node that is everywhere', { [ZONE]: 'z1' }, {}, 'a'],
    ['lets a pod go to each zone of its volume', { [ZONE]: 'z1__z2' }, { [ZONE]: 'z2' }, 'a'],
    ['compares an old label of a volume with a new one of a node', { [BETA]: 'z1' }, { [ZONE]: 'z1' }, 'a'],
    ['compares old labels', { [BETA]: 'z1' }, { [BETA]: 'z2' }, wrong],
    ['says nothing of a volume without a zone', {}, { [ZONE]: 'z2' }, 'a'],
    ['says nothing of a label that names no zone', { [ZONE]: 'z1__' }, { [ZONE]: 'z2' }, 'a'],
  ])('%s', (_, labels, nodeLabels, expected) => {
    const volumes = volumesOf({ claims: [boundClaim('disk')], volumes: [volume('disk', undefined, { labels })] });
    const nodes = [node('a', { labels: nodeLabels })];
    expect(placeOf(schedulePod(info('new', { spec: uses('data') }), cluster(nodes, [], {}, volumes)))).toBe(expected);
  });
});

describe('NodeVolumeLimits', () => {
  const DRIVER = 'disk.example.com';
  const full =
    '0/1 nodes are available: 1 node(s) exceed max volume count. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';
  const disk = (name: string, driver = DRIVER) =>
    volume(name, undefined, { csi: { driver, volumeHandle: `handle-of-${name}` } });
  const storage = (limit: number, ...disks: ReturnType<typeof disk>[]): Volumes =>
    volumesOf({
      claims: [
        ...disks.map(({ metadata }) => boundClaim(metadata.name, metadata.name)),
        claim({ storageClassName: 'late' }, 'Pending', { name: 'unbound' }),
      ],
      volumes: disks,
      classes: [storageClass('late', 'WaitForFirstConsumer', DRIVER)],
      csiNodes: [csiNode('a', DRIVER, limit)],
    });

  test.each<[string, Volumes, readonly string[], string]>([
    ['counts the volumes that a node has', storage(1, disk('one'), disk('two')), ['two'], full],
    ['lets a pod go where there is room for its volume', storage(2, disk('one'), disk('two')), ['two'], 'a'],
    ['counts all volumes of a pod', storage(2, disk('one'), disk('two'), disk('three')), ['two', 'three'], full],
    ['counts a volume once that pods share', storage(1, disk('one')), ['one'], 'a'],
    ['counts each driver apart', storage(1, disk('one'), disk('two', 'other.example.com')), ['two'], 'a'],
    ['counts volumes that are to be made', storage(1, disk('one')), ['unbound'], full],
  ])('%s', (_, volumes, claims, expected) => {
    const held = pod('held', { on: 'a', spec: uses('one') });
    const decision = schedulePod(info('new', { spec: uses(...claims) }), cluster([node('a')], [held], {}, volumes));
    expect(placeOf(decision)).toBe(expected);
  });

  test('knows no limit of a node without a CSINode', () => {
    const volumes = storage(0, disk('one'));
    const nodes = [node('a'), node('b')];
    expect(placeOf(schedulePod(info('new', { spec: uses('one') }), cluster(nodes, [], {}, volumes)))).toBe('b');
  });
});
