import { beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../../lambdas/adapters/embedded/openEmbeddedStore.ts';
import { MemoryJournal } from '../../../../lambdas/adapters/embedded/MemoryJournal.ts';
import { VirtualClock } from '../../../../lambdas/adapters/clocks/VirtualClock.ts';
import { SeededIds } from '../../../../lambdas/adapters/ids/SeededIds.ts';
import { forbidden } from '../../../../lambdas/objects/apiErrors.ts';
import type { KubernetesObject } from '../../../../lambdas/objects/KubernetesObject.ts';
import type { AdmissionAttributes } from '../../../../lambdas/registry/admission/dynamic/AdmissionAttributes.ts';
import {
  type AdmissionPlugin,
  createDynamicAdmission,
} from '../../../../lambdas/registry/admission/dynamic/DynamicAdmission.ts';
import { createRegistry } from '../../../../lambdas/registry/createRegistry.ts';
import type { Registry } from '../../../../lambdas/registry/Registry.ts';
import { createResourceCatalog } from '../../../../lambdas/registry/ResourceCatalog.ts';
import { resourceEntries } from '../../../../lambdas/registry/resourceEntries.ts';

/** Sets a label on what is written, and refuses what has the label `refuse`. */
class Recorder implements AdmissionPlugin {
  readonly seen: AdmissionAttributes[] = [];

  async mutate(attributes: AdmissionAttributes) {
    this.seen.push(attributes);
    const { object } = attributes;
    if (!object) return { status: 'admitted', object } as const;
    const labels = { ...object.metadata.labels, mutated: 'yes' };
    return { status: 'admitted', object: { ...object, metadata: { ...object.metadata, labels } } } as const;
  }

  async validate(attributes: AdmissionAttributes) {
    this.seen.push(attributes);
    const { metadata } = (attributes.object ?? attributes.oldObject) as KubernetesObject;
    return metadata.labels?.['refuse'] === attributes.operation
      ? forbidden('configmaps', metadata.name, 'no')
      : undefined;
  }

  forget() {}
}

let clock: VirtualClock;
let registry: Registry;
let recorder: Recorder;

beforeEach(async () => {
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const { objectStore } = openEmbeddedStore({ journal: new MemoryJournal(), clock });
  recorder = new Recorder();
  const catalog = createResourceCatalog(resourceEntries);
  const dynamicAdmission = createDynamicAdmission([recorder]);
  registry = createRegistry({ objectStore, clock, ids: new SeededIds(1), catalog, dynamicAdmission });
  await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  recorder.seen.length = 0;
});

function configMap(labels: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', namespace: 'default', labels }, data: {} };
}

async function created(labels?: Record<string, string>): Promise<KubernetesObject> {
  const outcome = await registry.create('configmaps', configMap(labels));
  if (outcome.status === 'refused') throw outcome.error;
  return outcome.object;
}

describe('dynamic admission', () => {
  it('mutates a new object, then asks whether the result may be stored', async () => {
    const { metadata } = await created();
    expect(metadata.labels).toEqual({ mutated: 'yes' });
    expect(recorder.seen.map(({ object }) => object?.metadata.labels)).toEqual([{}, { mutated: 'yes' }]);
    expect(recorder.seen[0]).toMatchObject({
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      namespace: 'default',
      name: 'one',
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      user: { username: 'system:kube-controller-manager' },
    });
  });

  it('stores nothing that is refused', async () => {
    const outcome = await registry.create('configmaps', configMap({ refuse: 'CREATE' }));
    expect(outcome).toMatchObject({ status: 'refused', error: { message: 'configmaps "one" is forbidden: no' } });
    expect(await registry.get({ resource: 'configmaps', namespace: 'default', name: 'one' })).toBeUndefined();
  });

  it('shows an update with both objects, and keeps what the server has set', async () => {
    const old = await created();
    const outcome = await registry.update('configmaps', { ...old, data: { a: 'b' } }, { dryRun: true });
    expect(outcome).toMatchObject({
      status: 'stored',
      object: { metadata: { uid: old.metadata.uid }, data: { a: 'b' } },
    });
    const [, , mutating, validating] = recorder.seen;
    expect(mutating).toMatchObject({ operation: 'UPDATE', dryRun: true, options: { dryRun: ['All'] } });
    expect(validating).toMatchObject({ object: { data: { a: 'b' } }, oldObject: { data: {} } });
  });

  it('asks about a deletion with the old object alone', async () => {
    await created({ refuse: 'DELETE' });
    const key = { resource: 'configmaps', namespace: 'default', name: 'one' };
    expect(await registry.delete(key, { propagationPolicy: 'Background' })).toMatchObject({ status: 'refused' });
    expect(recorder.seen.at(-1)).toMatchObject({
      operation: 'DELETE',
      object: undefined,
      oldObject: { kind: 'ConfigMap' },
    });
    expect(await registry.get(key)).toBeDefined();
  });

  it('takes the time of a deletion when it has been admitted: a namespace goes when that time is old enough', async () => {
    await registry.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    recorder.validate = async () => {
      clock.advanceBy(25_000);
      return undefined;
    };
    const outcome = await registry.delete({ resource: 'namespaces', namespace: '', name: 'team' });
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { metadata: { deletionTimestamp: '2026-01-01T00:00:25Z' } },
    });
  });

  it('shows what a client asked for, and nothing of writes that were admitted before', async () => {
    const warnings: string[] = [];
    const request = {
      user: { username: 'jane', groups: ['devs'] },
      group: '',
      version: 'v1',
      subresource: '',
      name: '',
      options: { fieldManager: 'kubectl' },
      warn: (text: string) => void warnings.push(text),
    };
    await registry.create('configmaps', configMap(), { request });
    expect(recorder.seen[0]).toMatchObject({
      user: { username: 'jane' },
      options: { fieldManager: 'kubectl' },
      name: 'one',
    });
    recorder.seen.length = 0;
    await registry.delete({ resource: 'configmaps', namespace: 'default', name: 'one' }, { request: 'admitted' });
    expect(recorder.seen).toEqual([]);
  });

  it('is idle only while each of its plugins says so', () => {
    const plugin = (isIdle: boolean) => ({ forget: () => {}, isIdle: () => isIdle });
    expect(createDynamicAdmission([plugin(true), plugin(true)]).isIdle()).toBe(true);
    expect(createDynamicAdmission([plugin(true), plugin(false)]).isIdle()).toBe(false);
    expect(createDynamicAdmission([plugin(true), recorder]).isIdle()).toBe(false);
  });

  it('never asks about configurations of admission', () => {
    const entry = { groupResource: 'mutatingwebhookconfigurations.admissionregistration.k8s.io' };
    const attributes = { entry, object: { metadata: { name: 'one' } } } as unknown as AdmissionAttributes;
    return expect(createDynamicAdmission([recorder]).validate(attributes)).resolves.toBeUndefined();
  });

  it('refuses a write whose time ended while others were asked', async () => {
    const outcome = await registry.create('configmaps', configMap(), { timeLeftMs: () => 0 });
    expect(outcome).toMatchObject({ status: 'refused', error: { reason: 'Timeout' } });
  });
});
