import { beforeEach, describe, expect, test } from 'vitest';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { createVolumeController } from '../../../lambdas/controllers/persistentvolume/createVolumeController.ts';
import { decideReclaim } from '../../../lambdas/controllers/persistentvolume/reclaimVolume.ts';
import type { Volume } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import type { PersistentVolumeClaim } from '../../../lambdas/objects/kinds.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { volume as volumeObject } from '../scheduler/volumeObjects.ts';

let bench: ControllerBench;
let events: string[];

beforeEach(async () => {
  bench = new ControllerBench();
  events = [];
  const record = async (recorded: readonly EventToRecord[]) => {
    events.push(...recorded.map(({ type, reason, message }) => `${type} ${reason}: ${message}`));
  };
  bench.add(createVolumeController({ registry: bench.registry, events: { record } }));
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

const ASKED = {
  storageClassName: '',
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
};

async function createClaim(spec: object = {}, name = 'data'): Promise<void> {
  const metadata = { name, namespace: 'default' };
  await bench.create('persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { ...ASKED, ...spec },
  });
  await bench.settle();
}

async function createVolume(spec: object = {}, name = 'disk'): Promise<void> {
  const given = { accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' }, nfs: { server: 's', path: '/' } };
  await bench.create('persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { ...given, ...spec },
  });
  await bench.settle();
}

async function createClass(facts: object): Promise<void> {
  const given = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'class' } };
  await bench.create('storageclasses.storage.k8s.io', { ...given, ...facts });
  await bench.settle();
}

async function remove(resource: string, namespace: string, name: string): Promise<void> {
  await bench.objectStore.remove({ resource, namespace, name });
  await bench.settle();
}

const claim = (name = 'data') => bench.get<PersistentVolumeClaim>('persistentvolumeclaims', 'default', name);
const volume = (name = 'disk') => bench.get<Volume>('persistentvolumes', '', name);

/** The phases of the claim and of the volume. */
async function phases(): Promise<readonly (string | undefined)[]> {
  return [(await claim())?.status?.phase, (await volume())?.status?.phase];
}

describe('a volume that a user makes', () => {
  test('is free until a claim suits it', async () => {
    await createVolume();
    expect(await phases()).toEqual([undefined, 'Available']);
  });

  test.each([
    ['after', [createVolume, createClaim]],
    ['before', [createClaim, createVolume]],
  ])('is bound to a claim that comes %s it', async (_, steps) => {
    for (const step of steps) await step();
    expect(await phases()).toEqual(['Bound', 'Bound']);
    const { metadata, spec, status } = (await claim()) as PersistentVolumeClaim;
    expect(spec?.volumeName).toBe('disk');
    expect(status).toMatchObject({ accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } });
    expect(Object.keys(metadata.annotations ?? {}).sort()).toEqual([
      'pv.kubernetes.io/bind-completed',
      'pv.kubernetes.io/bound-by-controller',
    ]);
    expect((await volume())?.spec?.claimRef).toMatchObject({ namespace: 'default', name: 'data', uid: metadata.uid });
  });

  test('goes to one claim only', async () => {
    await createClaim({}, 'data');
    await createClaim({}, 'other');
    await createVolume();
    const all = [await claim('data'), await claim('other')].map((one) => one?.status?.phase);
    expect(new Set(all)).toEqual(new Set(['Bound', 'Pending']));
  });

  test('is kept for the claim that it names, and is bound to no other', async () => {
    await createVolume({ claimRef: { namespace: 'default', name: 'data' } });
    await createClaim({}, 'other');
    expect((await claim('other'))?.status?.phase).toBe('Pending');
    expect(await phases()).toEqual([undefined, 'Available']);
    await createClaim();
    expect(await phases()).toEqual(['Bound', 'Bound']);
    expect((await volume())?.metadata.annotations).toBeUndefined();
  });

  test('and that names a claim is bound to it, though the claim, which names the volume, was there before', async () => {
    await createClaim({ volumeName: 'disk' });
    await createVolume({ claimRef: { namespace: 'default', name: 'data' } });
    expect(await phases()).toEqual(['Bound', 'Bound']);
  });

  test('is bound when it has become large enough for a claim that waits', async () => {
    await createVolume({ capacity: { storage: '512Mi' } });
    await createClaim();
    expect(await phases()).toEqual(['Pending', 'Available']);
    const small = (await volume()) as Volume;
    await bench.registry.update('persistentvolumes', {
      ...small,
      spec: { ...small.spec, capacity: { storage: '2Gi' } },
    });
    await bench.settle();
    expect(await phases()).toEqual(['Bound', 'Bound']);
  });

  test('of a class that waits for its consumer is bound once the scheduler reserves it', async () => {
    await createClass({ provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
    await createVolume({ storageClassName: 'class' });
    await createClaim({ storageClassName: 'class' });
    expect(await phases()).toEqual(['Pending', 'Available']);
    expect(events).toContain('Normal WaitForFirstConsumer: waiting for first consumer to be created before binding');
    const { metadata } = (await claim()) as PersistentVolumeClaim;
    const free = (await volume()) as Volume;
    const claimRef = { namespace: 'default', name: 'data', uid: metadata.uid };
    await bench.registry.update('persistentvolumes', { ...free, spec: { ...free.spec, claimRef } });
    await bench.settle();
    expect(await phases()).toEqual(['Bound', 'Bound']);
  });
});

describe('a claim', () => {
  test('gets the volume that it names', async () => {
    await createVolume({}, 'small');
    await createClaim({ volumeName: 'disk' });
    expect((await claim())?.status?.phase).toBe('Pending');
    await createVolume({ capacity: { storage: '1Ti' } });
    expect(await phases()).toEqual(['Bound', 'Bound']);
  });

  test('that names a volume which does not suit waits, and says why', async () => {
    await createVolume({ capacity: { storage: '1Mi' } });
    await createClaim({ volumeName: 'disk' });
    expect(await phases()).toEqual(['Pending', 'Available']);
    expect(events).toContain(
      'Warning VolumeMismatch: Cannot bind to requested volume "disk": requested PV is too small',
    );
  });

  test('that names a volume of another claim waits, and says why', async () => {
    await createVolume();
    await createClaim({}, 'first');
    await createClaim({ volumeName: 'disk' });
    expect(await phases()).toEqual(['Pending', 'Bound']);
    expect(events).toContain('Warning FailedBinding: volume "disk" already bound to a different claim.');
  });

  const TAKEN = 'Warning FailedBinding: volume "disk" already bound to a different claim.';

  test.each<[string, object]>([
    ['with a claim that is there', { namespace: 'default', name: 'first' }],
    ['with a claim that is not there yet', { namespace: 'default', name: 'later' }],
    ['with a claim that is gone', { namespace: 'default', name: 'later', uid: 'gone' }],
    ['with a claim of its name that is gone', { namespace: 'default', name: 'data', uid: 'gone' }],
  ])('that names a volume which is made later, %s, says why it waits', async (_, claimRef) => {
    await createClaim({}, 'first');
    await createClaim({ volumeName: 'disk' });
    await createVolume({ claimRef, persistentVolumeReclaimPolicy: 'Retain' });
    expect((await claim())?.status?.phase).toBe('Pending');
    expect(events.filter((event) => event === TAKEN)).toEqual([TAKEN]);
  });

  test('that names a volume says why it waits when the volume is given to another claim', async () => {
    await createVolume({ capacity: { storage: '1Mi' } });
    await createClaim({ volumeName: 'disk' });
    const free = (await volume()) as Volume;
    const claimRef = { namespace: 'default', name: 'later' };
    await bench.registry.update('persistentvolumes', { ...free, spec: { ...free.spec, claimRef } });
    await bench.settle();
    expect(events.filter((event) => event === TAKEN)).toEqual([TAKEN]);
    events.length = 0;
    await bench.registry.update('persistentvolumes', {
      ...((await volume()) as Volume),
      metadata: { ...((await volume()) as Volume).metadata, labels: { a: 'b' } },
    });
    await bench.settle();
    expect(events).toEqual([]);
  });

  test.each<[string, object | undefined, object, string]>([
    [
      'without a class',
      undefined,
      {},
      'Normal FailedBinding: no persistent volumes available for this claim and no storage class is set',
    ],
    [
      'of a class that does not exist',
      undefined,
      { storageClassName: 'class' },
      'Warning ProvisioningFailed: storageclass.storage.k8s.io "class" not found',
    ],
    [
      'of a class without a provisioner',
      { provisioner: 'kubernetes.io/no-provisioner' },
      { storageClassName: 'class' },
      'Warning ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner',
    ],
    [
      'of a provisioner that runs elsewhere',
      { provisioner: 'example.com/disk' },
      { storageClassName: 'class' },
      "Normal ExternalProvisioning: Waiting for a volume to be created either by the external provisioner 'example.com/disk' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
    ],
  ])('%s says why it waits', async (_, storageClass, spec, expected) => {
    if (storageClass) await createClass(storageClass);
    await createClaim(spec);
    expect(events).toContain(expected);
    expect((await claim())?.status?.phase).toBe('Pending');
  });

  test('tells its provisioner that a volume is to be made', async () => {
    await createClass({ provisioner: 'example.com/disk' });
    await createClaim({ storageClassName: 'class' });
    expect((await claim())?.metadata.annotations).toEqual({
      'volume.beta.kubernetes.io/storage-provisioner': 'example.com/disk',
      'volume.kubernetes.io/storage-provisioner': 'example.com/disk',
    });
  });

  test('has lost its volume when that is gone', async () => {
    await createVolume();
    await createClaim();
    await remove('persistentvolumes', '', 'disk');
    expect((await claim())?.status).toEqual({ phase: 'Lost' });
    expect(events).toContain(
      'Warning ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    );
  });
});

describe('a volume whose claim is gone', () => {
  test('is released, keeps its claim, and is given to no other', async () => {
    await createVolume();
    await createClaim();
    await remove('persistentvolumeclaims', 'default', 'data');
    expect(await phases()).toEqual([undefined, 'Released']);
    await createClaim();
    expect(await phases()).toEqual(['Pending', 'Released']);
  });

  test('has failed if nobody can delete it', async () => {
    await createVolume({ persistentVolumeReclaimPolicy: 'Delete' });
    await createClaim();
    await remove('persistentvolumeclaims', 'default', 'data');
    const message = 'error getting deleter volume plugin for volume "disk": no deletable volume plugin matched';
    expect((await volume())?.status).toMatchObject({ phase: 'Failed', message });
    expect(events).toContain(`Warning VolumeFailedDelete: ${message}`);
  });

  test.each<[string, NonNullable<Volume['spec']>, string]>([
    ['is kept', { persistentVolumeReclaimPolicy: 'Retain' }, 'keep'],
    [
      'is deleted by its driver',
      { persistentVolumeReclaimPolicy: 'Delete', csi: { driver: 'd', volumeHandle: 'h' } },
      'leave',
    ],
    [
      'is deleted, if it is a directory for this',
      { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/tmp/a' } },
      'delete',
    ],
    [
      'has failed, if it is any other directory',
      { persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/data' } },
      'fail',
    ],
    ['has failed, if it is to be recycled', { persistentVolumeReclaimPolicy: 'Recycle' }, 'fail'],
  ])('%s', (_, spec, expected) => {
    expect(decideReclaim(volumeObject('disk', undefined, spec)).decision).toBe(expected);
  });
});

test('a volume that was reserved for a claim which has another one is free again', async () => {
  await createVolume({}, 'other');
  await createClaim();
  const { metadata } = (await claim()) as PersistentVolumeClaim;
  const claimRef = { namespace: 'default', name: 'data', uid: metadata.uid };
  await createVolume({ claimRef });
  expect((await volume())?.spec?.claimRef).toEqual({ namespace: 'default', name: 'data' });
  expect((await volume())?.status?.phase).toBe('Available');
});
