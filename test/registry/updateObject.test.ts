import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../lambdas/objects/KubernetesObject.ts';
import {
  change,
  changeMeta,
  configMap,
  deployment,
  key,
  openTestRegistry,
  pod,
  refusal,
  stored,
  type TestRegistry,
} from '../support/openTestRegistry.ts';

let store: TestRegistry['store'];
let registry: TestRegistry['registry'];
beforeEach(async () => {
  ({ store, registry } = await openTestRegistry());
});

describe('an update', () => {
  it('with the object that the caller read costs exactly one conditional write', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    store.calls.length = 0;
    stored(await registry.update('configmaps', change(object, { data: { a: '2' } }), { from: object }));
    expect(store.calls).toEqual(['replace configmaps ns/cm']);
  });

  it('that changes nothing writes nothing and keeps the resourceVersion', async () => {
    const object = stored(await registry.create('deployments.apps', deployment()));
    store.calls.length = 0;
    const again = stored(await registry.update('deployments.apps', deployment() as KubernetesObject));
    expect(again.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
    expect(store.calls).toEqual(['get deployments.apps ns/web']);
  });

  it("of a spec or of a Deployment's annotations increases the generation; one of labels does not", async () => {
    let object = stored(await registry.create('deployments.apps', deployment()));
    const generation = async (next: KubernetesObject) => {
      object = stored(await registry.update('deployments.apps', next));
      return object.metadata.generation;
    };
    expect(await generation(change(object, { spec: { ...(object['spec'] as object), replicas: 3 } }))).toBe(2);
    expect(await generation(changeMeta(object, { annotations: { a: 'b' } }))).toBe(3);
    expect(await generation(changeMeta(object, { labels: { a: 'b' } }))).toBe(3);
    expect(await generation(changeMeta(object, { generation: 99 }))).toBe(3);
  });

  it('with a stale resourceVersion is a conflict', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    stored(await registry.update('configmaps', change(object, { data: { a: '2' } })));
    const stale =
      'Conflict: Operation cannot be fulfilled on configmaps "cm": the object has been modified; please apply your changes to the latest version and try again';
    expect(refusal(await registry.update('configmaps', change(object, { data: { a: '3' } })))).toBe(stale);
    const unversioned = changeMeta(change(object, { data: { a: '3' } }), { resourceVersion: '' });
    expect(refusal(await registry.update('configmaps', unversioned, { from: object }))).toBe(stale);
  });

  it('without a resourceVersion is decided again when another writer comes in between', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    store.beforeWrite = async () => {
      stored(await registry.update('configmaps', changeMeta(object, { labels: { other: 'writer' } })));
    };
    const after = stored(
      await registry.update('configmaps', changeMeta(object, { resourceVersion: '', labels: { last: 'writer' } })),
    );
    expect(after.metadata.labels).toEqual({ last: 'writer' });
  });

  it.each([
    [{ uid: 'other' }, /^Conflict: .*Precondition failed: UID in precondition: other, UID in object meta: /],
    [
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      'Invalid: ConfigMap "cm" is invalid: metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable',
    ],
    [{ creationTimestamp: '2020-01-01T00:00:00Z' }, 'stored'],
    [{ name: 'absent' }, 'NotFound: configmaps "absent" not found'],
  ])('with the metadata %j cannot change what only the server sets', async (metadata, expected) => {
    const object = stored(await registry.create('configmaps', configMap()));
    const outcome = refusal(await registry.update('configmaps', changeMeta(object, metadata)));
    if (expected instanceof RegExp) expect(outcome).toMatch(expected);
    else expect(outcome).toBe(expected);
  });

  it('of the status keeps the spec, and one of the spec keeps the status', async () => {
    const object = stored(await registry.create('deployments.apps', deployment()));
    const spec = { ...(object['spec'] as object), replicas: 5 };
    const both = change(object, { spec, status: { replicas: 5 } });
    const afterStatus = stored(
      await registry.update('deployments.apps', changeMeta(both, { labels: { a: 'b' } }), { subresource: 'status' }),
    );
    expect(afterStatus['spec']).toMatchObject({ replicas: 1 });
    expect(afterStatus['status']).toEqual({ replicas: 5 });
    expect(afterStatus.metadata.generation).toBe(1);
    expect(afterStatus.metadata).not.toHaveProperty('labels');
    const afterSpec = stored(await registry.update('deployments.apps', change(afterStatus, { spec, status: {} })));
    expect(afterSpec['status']).toEqual({ replicas: 5 });
    expect(afterSpec.metadata.generation).toBe(2);
  });

  it('of an absent lease or event creates it', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l', namespace: 'ns' },
      spec: { holderIdentity: 'me' },
    } as unknown as KubernetesObject;
    stored(await registry.update('leases.coordination.k8s.io', lease));
    expect(refusal(await registry.update('leases.coordination.k8s.io', lease))).toMatch(
      /^Invalid: .*metadata\.resourceVersion: .*must be specified for an update$/,
    );
  });

  it('of an immutable config map is refused', async () => {
    const object = stored(await registry.create('configmaps', { ...configMap(), immutable: true }));
    expect(refusal(await registry.update('configmaps', change(object, { data: { a: '2' }, immutable: false })))).toBe(
      'Invalid: ConfigMap "cm" is invalid: [immutable: Forbidden: field is immutable when `immutable` is set, data: Forbidden: field is immutable when `immutable` is set]',
    );
  });

  it('as a dry run answers with the new object and writes nothing', async () => {
    const object = stored(await registry.create('configmaps', configMap()));
    const dry = stored(await registry.update('configmaps', change(object, { data: { a: '2' } }), { dryRun: true }));
    expect(dry['data']).toEqual({ a: '2' });
    expect(await registry.get(key('configmaps', 'cm'))).toMatchObject({ data: { a: '1' } });
  });
});

describe('binding a pod', () => {
  const bind = async (object: KubernetesObject, nodeName: string) =>
    registry.update('pods', change(object, { spec: { nodeName, containers: [] } }), { subresource: 'binding' });

  it('sets its node and changes nothing else, not even its generation', async () => {
    const object = stored(await registry.create('pods', pod('web')));
    const bound = stored(await bind(object, 'node-1'));
    expect(bound).toMatchObject({ ...object, metadata: { generation: 1 }, spec: { nodeName: 'node-1' } });
  });

  it('is refused for a pod that has a node or is being deleted', async () => {
    const bound = stored(await bind(stored(await registry.create('pods', pod('web'))), 'node-1'));
    expect(refusal(await bind(bound, 'node-2'))).toBe(
      'Conflict: Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "node-1"',
    );
    await registry.delete(key('pods', 'web'));
    const deleted = await registry.get(key('pods', 'web'));
    expect(refusal(await bind(deleted as KubernetesObject, 'node-2'))).toBe(
      'Conflict: Operation cannot be fulfilled on pods/binding "web": pod web is being deleted, cannot be assigned to a host',
    );
  });
});
