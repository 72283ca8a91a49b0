import { describe, expect, test } from 'vitest';
import { csiDrivers } from '../../../lambdas/registry/resources/csiDrivers.ts';
import { csiNodes } from '../../../lambdas/registry/resources/csiNodes.ts';
import { csiStorageCapacities } from '../../../lambdas/registry/resources/csiStorageCapacities.ts';
import { persistentVolumeClaims } from '../../../lambdas/registry/resources/persistentVolumeClaims.ts';
import { persistentVolumes } from '../../../lambdas/registry/resources/persistentVolumes.ts';
import { storageClasses } from '../../../lambdas/registry/resources/storageClasses.ts';
import { volumeAttachments } from '../../../lambdas/registry/resources/volumeAttachments.ts';
import { createErrors, objectOf, rowOf, updateErrors } from '../../support/kindBench.ts';

type Members = Record<string, unknown>;

const claim = (spec: Members = {}, status: Members = {}): Members => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  status,
});

describe('a PersistentVolumeClaim', () => {
  test('is pending, and its amounts are canonical', () => {
    const object = objectOf(persistentVolumeClaims, claim({ resources: { requests: { storage: '1024Mi' } } }));
    persistentVolumeClaims.strategy.prepareForCreate?.(object);
    expect(object).toMatchObject({
      spec: { volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Pending' },
    });
  });

  test.each<[string, Members, string[]]>([
    ['with a size (valid)', claim(), []],
    [
      'with nothing',
      { spec: {} },
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        'spec.resources[storage]: Required value',
      ],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(persistentVolumeClaims, members)).toEqual(messages);
  });

  test.each<[string, Members, Members, string[]]>([
    ['may be bound', claim({ volumeName: 'pv1' }), claim(), []],
    ['may get a class', claim({ storageClassName: 'fast' }), claim(), []],
    [
      'may not change its modes',
      claim({ accessModes: ['ReadWriteMany'] }),
      claim(),
      [
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ],
    ],
    [
      'may grow when it is bound',
      claim({ resources: { requests: { storage: '2Gi' } } }),
      claim({}, { phase: 'Bound', capacity: { storage: '1Gi' } }),
      [],
    ],
    [
      'may not shrink below its capacity',
      claim({ resources: { requests: { storage: '1Mi' } } }),
      claim({}, { phase: 'Bound', capacity: { storage: '1Gi' } }),
      ['spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'],
    ],
  ])('%s', (_, members, old, messages) => {
    expect(updateErrors(persistentVolumeClaims, members, old)).toEqual(messages);
  });

  test('is printed', () => {
    const status = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] };
    expect(rowOf(persistentVolumeClaims, claim({ volumeName: 'pv1', storageClassName: 'fast' }, status))).toEqual({
      Name: 'x',
      Status: 'Bound',
      Volume: 'pv1',
      Capacity: '1Gi',
      'Access Modes': 'RWO,RWX',
      StorageClass: 'fast',
      VolumeAttributesClass: '<unset>',
      Age: '60s',
      VolumeMode: 'Filesystem',
    });
  });
});

describe('a PersistentVolume', () => {
  const volume = (spec: Members = {}): Members => ({
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/data' }, ...spec },
  });

  test.each<[string, Members, string[]]>([
    ['of a path (valid)', volume(), []],
    ['of a driver (valid)', volume({ hostPath: undefined, csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'v' } }), []],
    ['without a source', volume({ hostPath: undefined }), ['spec: Required value: must specify a volume type']],
    [
      'with two sources',
      volume({ nfs: { server: 'a', path: '/' } }),
      ['spec.nfs: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'without a size',
      volume({ capacity: {}, accessModes: [] }),
      ['spec.accessModes: Required value', 'spec.capacity: Required value'],
    ],
    [
      'of no size',
      volume({ capacity: { storage: '0' } }),
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'that recycles everything',
      volume({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [`spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath volume of '/'`],
    ],
    [
      'with an affinity to nothing',
      volume({ nodeAffinity: {} }),
      ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
    ],
    [
      'with a wrong affinity',
      volume({ nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
      ['spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term'],
    ],
  ])('%s', (_, members, messages) => {
    expect(createErrors(persistentVolumes, members)).toEqual(messages);
  });

  test('keeps its source', () => {
    expect(updateErrors(persistentVolumes, volume({ hostPath: { path: '/other' } }), volume())).toEqual([
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
    ]);
    expect(updateErrors(persistentVolumes, volume({ claimRef: { name: 'a' } }), volume())).toEqual([]);
  });

  test('is printed', () => {
    const members = { ...volume({ claimRef: { namespace: 'default', name: 'data' } }), status: { phase: 'Bound' } };
    expect(rowOf(persistentVolumes, members)).toMatchObject({
      Capacity: '1Gi',
      'Access Modes': 'RWO',
      'Reclaim Policy': 'Retain',
      Status: 'Bound',
      Claim: 'default/data',
    });
  });
});

describe('storage.k8s.io', () => {
  test('a StorageClass has defaults, and hardly changes', () => {
    expect(objectOf(storageClasses, { provisioner: 'a.b/c' })).toMatchObject({
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    });
    expect(createErrors(storageClasses, { reclaimPolicy: 'Recycle', parameters: { '': 'a' } })).toEqual([
      'provisioner: Required value',
      'parameters: Invalid value: "": field can not be empty.',
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    ]);
    expect(
      updateErrors(
        storageClasses,
        {
          provisioner: 'b',
          parameters: { a: 'b' },
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
        },
        { provisioner: 'a' },
      ),
    ).toEqual([
      'parameters: Forbidden: updates to parameters are forbidden.',
      'provisioner: Forbidden: updates to provisioner are forbidden.',
      'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ]);
  });

  const classWith = (members: Members): Members => ({ provisioner: 'a.b/c', ...members });
  const zone = { key: 'topology.kubernetes.io/zone', values: ['a'] };
  const many = Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, '']));

  test.each<[string, Members, string[]]>([
    ['with topologies (valid)', { allowedTopologies: [{ matchLabelExpressions: [zone] }] }, []],
    ['with too many parameters', { parameters: many }, ['parameters: Too long: may not be more than 512 bytes']],
    [
      'with too long parameters',
      { parameters: { a: 'x'.repeat(256 * 1024) } },
      ['parameters: Too long: may not be more than 262144 bytes'],
    ],
    [
      'with a topology without values',
      { allowedTopologies: [{ matchLabelExpressions: [{ ...zone, values: [] }] }] },
      ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
    ],
    [
      'with a value and a key twice',
      { allowedTopologies: [{ matchLabelExpressions: [{ ...zone, values: ['a', 'a'] }, zone] }] },
      [
        'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
        'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "topology.kubernetes.io/zone"',
      ],
    ],
    [
      'with a topology twice',
      { allowedTopologies: [{ matchLabelExpressions: [zone] }, { matchLabelExpressions: [zone] }] },
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
  ])('a StorageClass %s', (_, members, messages) => {
    expect(createErrors(storageClasses, classWith(members))).toEqual(messages);
  });

  test('the default StorageClass is marked', () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    expect(rowOf(storageClasses, { provisioner: 'p' }, { annotations })).toMatchObject({
      Name: 'x (default)',
      Provisioner: 'p',
      AllowVolumeExpansion: false,
    });
  });

  test('a CSINode has each driver once, and a driver never changes', () => {
    const driver = { name: 'ebs.csi.aws.com', nodeID: 'i-1' };
    expect(createErrors(csiNodes, { spec: { drivers: [driver, { ...driver, nodeID: '' }] } })).toEqual([
      'spec.drivers[1].nodeID: Required value',
      'spec.drivers[1].name: Duplicate value: "ebs.csi.aws.com"',
    ]);
    const changed = { ...driver, nodeID: 'i-2' };
    expect(updateErrors(csiNodes, { spec: { drivers: [changed] } }, { spec: { drivers: [driver] } })).toEqual([
      'spec.drivers: Invalid value: {"name":"ebs.csi.aws.com","nodeID":"i-2"}: field is immutable',
    ]);
    expect(rowOf(csiNodes, { spec: { drivers: [driver] } })).toEqual({ Name: 'x', Drivers: 1, Age: '60s' });
  });

  test('the volumes that a driver can attach may change, and be none, but not fewer', () => {
    const driver = { name: 'ebs.csi.aws.com', nodeID: 'i-1' };
    const nodeWith = (count: number): Members => ({ spec: { drivers: [{ ...driver, allocatable: { count } }] } });
    expect(updateErrors(csiNodes, nodeWith(0), nodeWith(3))).toEqual([]);
    expect(createErrors(csiNodes, nodeWith(-1))).toEqual([
      'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  test('the errors of topology keys are at their driver', () => {
    const drivers = [{ name: 'a.b', nodeID: 'x'.repeat(193), topologyKeys: ['zone', 'zone'] }];
    expect(createErrors(csiNodes, { spec: { drivers } })).toEqual([
      `spec.drivers[0].nodeID: Invalid value: "${'x'.repeat(193)}": must be 192 characters or less`,
      'spec.drivers[0]: Duplicate value: "zone"',
    ]);
  });

  test('a CSIDriver has defaults, and checks its tokens', () => {
    expect(objectOf(csiDrivers)['spec']).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
      volumeLifecycleModes: ['Persistent'],
    });
    const tokenRequests = [{ audience: 'a', expirationSeconds: 5 }, { audience: 'a' }];
    expect(createErrors(csiDrivers, { spec: { tokenRequests } })).toEqual([
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ]);
    const modes = { volumeLifecycleModes: ['Sometimes'], nodeAllocatableUpdatePeriodSeconds: 9 };
    expect(createErrors(csiDrivers, { spec: modes })).toEqual([
      'spec.volumeLifecycleModes: Unsupported value: "Sometimes": supported values: "Persistent", "Ephemeral"',
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
    ]);
    const inSecrets = { serviceAccountTokenInSecrets: true };
    expect(createErrors(csiDrivers, { spec: inSecrets })).toEqual([
      'spec.serviceAccountTokenInSecrets: Invalid value: true: may not be set without tokenRequests',
    ]);
    expect(createErrors(csiDrivers, { spec: { ...inSecrets, tokenRequests: [{ audience: 'a' }] } })).toEqual([]);
    expect(updateErrors(csiDrivers, { spec: { attachRequired: false } }, {})).toEqual([
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ]);
    expect(rowOf(csiDrivers, {})).toMatchObject({
      AttachRequired: true,
      TokenRequests: '<unset>',
      Modes: 'Persistent',
    });
  });

  test('a CSIStorageCapacity belongs to a class', () => {
    expect(createErrors(csiStorageCapacities, { capacity: '-1' })).toEqual([
      expect.stringContaining('storageClassName: Invalid value: "": a lowercase RFC 1123 subdomain'),
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(rowOf(csiStorageCapacities, { storageClassName: 'a', capacity: '1024Mi' })).toEqual({
      Name: 'x',
      StorageClassName: 'a',
      Capacity: '1Gi',
    });
  });

  test('a VolumeAttachment is about one volume, and never changes', () => {
    const spec = { attacher: 'ebs.csi.aws.com', nodeName: 'n1' };
    const message = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
    expect(createErrors(volumeAttachments, { spec })).toEqual([`spec.source: Required value: ${message}`]);
    const volume = { persistentVolumeName: 'pv1', inlineVolumeSpec: {} };
    expect(createErrors(volumeAttachments, { spec: { ...spec, source: volume } })).toEqual([
      `spec.source: Forbidden: ${message}`,
    ]);
    expect(createErrors(volumeAttachments, { spec: { ...spec, source: { persistentVolumeName: 'A' } } })).toEqual([
      expect.stringContaining('spec.source.persistentVolumeName: Invalid value: "A": a lowercase RFC 1123'),
    ]);
    const attached = { spec: { ...spec, source: { persistentVolumeName: 'pv1' } } };
    expect(updateErrors(volumeAttachments, { spec: { ...attached.spec, nodeName: 'n2' } }, attached)).toHaveLength(1);
    expect(rowOf(volumeAttachments, attached)).toEqual({
      Name: 'x',
      Attacher: 'ebs.csi.aws.com',
      PV: 'pv1',
      Node: 'n1',
      Attached: false,
      Age: '60s',
    });
  });
});
