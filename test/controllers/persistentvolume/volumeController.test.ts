import { beforeEach, describe, expect, test } from 'vitest';
import type { EventToRecord } from '../../../lambdas/controllers/EventRecorder.ts';
import { guardWrites } from '../../../lambdas/controllers/guardWrites.ts';
import { createVolumeController } from '../../../lambdas/controllers/persistentvolume/createVolumeController.ts';
import type { StorageClass, Volume } from '../../../lambdas/controllers/scheduler/framework/Volumes.ts';
import type { PersistentVolumeClaim } from '../../../lambdas/objects/kinds.ts';
import { SIMULATED_PROVISIONER } from '../../../lambdas/objects/simulated/simulatedStorage.ts';
import { createRegistry } from '../../../lambdas/registry/createRegistry.ts';
import { createResourceCatalog } from '../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';
import { CrashingStore } from '../../support/CrashingStore.ts';

const KEY = { controller: 'persistentvolume', namespace: 'default', name: 'data' } as const;
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

let bench: ControllerBench;

beforeEach(async () => {
  bench = new ControllerBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await bench.createNode('simulated');
  await bench.create('nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'real' } });
});

function createClass(facts: Partial<StorageClass>): Promise<unknown> {
  const metadata = { name: 'class' };
  const given = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: SIMULATED_PROVISIONER };
  return bench.create('storageclasses.storage.k8s.io', { ...given, ...facts, metadata });
}

function createClaim(spec: object = {}, annotations: Record<string, string> = {}): Promise<unknown> {
  const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } };
  return bench.create('persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default', annotations },
    spec: { ...asked, storageClassName: 'class', ...spec },
  });
}

const removeNode = (name: string) => bench.objectStore.remove({ resource: 'nodes', namespace: '', name });

const claim = () => bench.get<PersistentVolumeClaim>('persistentvolumeclaims', 'default', 'data');

const volumes = async () => (await bench.objectStore.list<Volume>('persistentvolumes')).items;

/** The controller over a store that may fail, and one sync of the claim. */
function crashing() {
  const store = new CrashingStore(bench.objectStore);
  const catalog = createResourceCatalog(resourceEntries);
  const registry = createRegistry({ objectStore: store, clock: bench.clock, ids: bench.ids, catalog });
  const controller = createVolumeController({ registry: bench.registry, events: { record: async () => {} } });
  const guarded = guardWrites(controller, { registry, objectStore: store, clock: bench.clock });
  const nowMs = bench.clock.now();
  const start = { nowMs, deadlineMs: nowMs + 30_000, item: { failures: 0 }, recordIntent: async () => {} };
  return { store, sync: () => guarded.sync(KEY, start) };
}

describe('a claim', () => {
  test.each<[string, Partial<StorageClass>, object, Record<string, string>, string]>([
    ['of a class that binds at once gets its volume', { volumeBindingMode: 'Immediate' }, {}, {}, 'Bound'],
    ['waits for its first consumer', { volumeBindingMode: 'WaitForFirstConsumer' }, {}, {}, 'Pending'],
    [
      'whose pod is to run on a simulated node gets its volume',
      { volumeBindingMode: 'WaitForFirstConsumer' },
      {},
      { [SELECTED_NODE]: 'simulated' },
      'Bound',
    ],
    [
      "whose pod is to run on a kubelet's node gets none",
      { volumeBindingMode: 'WaitForFirstConsumer' },
      {},
      { [SELECTED_NODE]: 'real' },
      'Pending',
    ],
    ['of another provisioner is left to it', { provisioner: 'example.com/disk' }, {}, {}, 'Pending'],
    ['without a class is left to others', {}, { storageClassName: '' }, {}, 'Pending'],
    ['that names a volume is left to others', {}, { volumeName: 'disk' }, {}, 'Pending'],
  ])('%s', async (_, storageClass, spec, annotations, expected) => {
    await createClass(storageClass);
    await createClaim(spec, annotations);
    await crashing().sync();
    expect((await claim())?.status?.phase).toBe(expected);
  });

  test('gets one volume, as large as it asks for, wherever its sync crashes', async () => {
    for (let crash = 0; crash < 4; crash++) {
      for (const fate of ['lost', 'unanswered'] as const) {
        await createClass({}).catch(() => {});
        await createClaim();
        const { store, sync } = crashing();
        store.fate = (nth) => (nth === crash ? fate : 'arrive');
        await expect(sync()).rejects.toThrow('did not answer');
        await sync();
        const bound = await claim();
        const made = await volumes();
        expect(made).toMatchObject([
          {
            metadata: { name: `pvc-${bound?.metadata.uid}` },
            spec: { capacity: { storage: '2Gi' }, claimRef: { name: 'data', uid: bound?.metadata.uid } },
            status: { phase: 'Bound' },
          },
        ]);
        expect(bound).toMatchObject({
          spec: { volumeName: made[0]?.metadata.name },
          status: { phase: 'Bound', capacity: { storage: '2Gi' } },
        });
        await bench.objectStore.remove({ resource: 'persistentvolumeclaims', namespace: 'default', name: 'data' });
        await bench.objectStore.remove({
          resource: 'persistentvolumes',
          namespace: '',
          name: made[0]?.metadata.name ?? '',
        });
      }
    }
  });

  test.each(['simulated', 'real'])('waits for another node once the %s one of its pod is gone', async (nodeName) => {
    const events: string[] = [];
    const record = async (recorded: readonly EventToRecord[]) => {
      events.push(...recorded.map(({ type, reason, message }) => `${type} ${reason}: ${message}`));
    };
    bench.add(createVolumeController({ registry: bench.registry, events: { record } }));
    await createClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    if (nodeName === 'simulated') await removeNode(nodeName);
    await createClaim({}, { [SELECTED_NODE]: nodeName, kept: 'yes' });
    await bench.settle();
    if (nodeName === 'real') await removeNode(nodeName);
    await bench.settle();
    expect((await claim())?.metadata.annotations).toEqual({ kept: 'yes' });
    expect(events.at(-2)).toBe(`Warning ProvisioningFailed: failed to get target node: node "${nodeName}" not found`);
    expect(events.at(-1)).toBe('Normal WaitForFirstConsumer: waiting for first consumer to be created before binding');
  });

  test('gets its volume once its class is there', async () => {
    bench.add(createVolumeController({ registry: bench.registry, events: { record: async () => {} } }));
    await createClaim();
    await bench.settle();
    await createClass({});
    await bench.settle();
    expect((await claim())?.status?.phase).toBe('Bound');
  });
});

test('a volume that was made and kept is free again once a user takes its claim from it', async () => {
  bench.add(createVolumeController({ registry: bench.registry, events: { record: async () => {} } }));
  await createClass({ reclaimPolicy: 'Retain' });
  await createClaim();
  await bench.settle();
  await bench.objectStore.remove({ resource: 'persistentvolumeclaims', namespace: 'default', name: 'data' });
  await bench.settle();
  const phase = async () => (await volumes()).map(({ status }) => status?.phase);
  expect(await phase()).toEqual(['Released']);
  const [kept] = (await volumes()) as [Volume];
  const { claimRef: _claim, ...spec } = kept.spec ?? {};
  await bench.registry.update('persistentvolumes', { ...kept, spec });
  await bench.settle();
  expect(await phase()).toEqual(['Available']);
});

describe('the volume of a claim that is gone', () => {
  test.each([
    ['is deleted', 'Delete', undefined],
    ['is kept if its class says so', 'Retain', 'Released'],
  ])('%s', async (_, reclaimPolicy, expected) => {
    bench.add(createVolumeController({ registry: bench.registry, events: { record: async () => {} } }));
    await createClass({ reclaimPolicy });
    await createClaim();
    await bench.settle();
    const name = (await claim())?.spec?.volumeName ?? '';
    await bench.objectStore.remove({ resource: 'persistentvolumeclaims', namespace: 'default', name: 'data' });
    await bench.settle();
    const volume = await bench.get<Volume>('persistentvolumes', '', name);
    expect(volume?.metadata.deletionTimestamp === undefined ? volume?.status?.phase : undefined).toBe(expected);
  });
});
