import { describe, expect, test } from 'vitest';
import type { Claim, StorageClass, Volume, Volumes } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import { schedulePod } from '../../../lambdas/controllers/scheduler/schedulePod.ts';
import { cluster, info, node, type PodParts } from './schedulerObjects.ts';

const ZONE = 'topology.kubernetes.io/zone';
const NODES = ['a', 'b'].map((zone) => node(zone, { labels: { [ZONE]: zone } }));
const meta = (name: string) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: '' });

function claim(spec: NonNullable<Claim['spec']>, phase = 'Pending', metadata: Partial<Claim['metadata']> = {}): Claim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...meta('data'), namespace: 'default', ...metadata },
    spec,
    status: { phase },
  };
}

function storageClass(name: string, volumeBindingMode: string, provisioner: string): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: meta(name),
    provisioner,
    volumeBindingMode,
  };
}

function volume(name: string, zone?: string): Volume {
  const term = { matchExpressions: [{ key: ZONE, operator: 'In', values: [zone ?? ''] }] };
  const nodeAffinity = { required: { nodeSelectorTerms: [term] } };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: meta(name),
    spec: zone === undefined ? {} : { nodeAffinity },
  };
}

const CLASSES = [
  storageClass('now', 'Immediate', 'example.com/disk'),
  storageClass('late', 'WaitForFirstConsumer', 'example.com/disk'),
  storageClass('local', 'WaitForFirstConsumer', 'kubernetes.io/no-provisioner'),
];
const byName = <T extends { metadata: { name: string } }>(items: readonly T[]) =>
  new Map(items.map((item) => [item.metadata.name, item]));

/** What is decided about a pod with the claim `data`, in short. */
function decided(
  given: Claim | undefined,
  volumes: readonly Volume[] = [],
  mount: object = { persistentVolumeClaim: { claimName: 'data' } },
): string {
  const parts: PodParts = { spec: { volumes: [{ name: 'v', ...mount }] } };
  const known: Volumes = {
    claims: new Map(given ? [['default/data', given]] : []),
    volumes: byName(volumes),
    classes: byName(CLASSES),
  };
  const decision = schedulePod(info('new', parts), cluster(NODES, [], {}, known));
  if (decision.decision !== 'wait') return `${decision.decision} ${decision.node.metadata.name}`;
  expect(decision.waitsFor).toEqual(['VolumeBinding']);
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
      'goes nowhere if its volume does not exist',
      claim({ volumeName: 'disk' }, 'Bound'),
      [],
      none('2 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'),
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

  test('has a volume made for the node that is best', () => {
    expect(decided(claim({ storageClassName: 'late' }))).toMatch(/^provision [ab]$/);
  });

  test('waits until a claim is made for it', () => {
    expect(decided(undefined, [], { ephemeral: { volumeClaimTemplate: { spec: {} } } })).toBe(
      none('waiting for ephemeral volume controller to create the persistentvolumeclaim "new-v"'),
    );
  });
});
