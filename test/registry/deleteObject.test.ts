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
let clock: TestRegistry['clock'];
let registry: TestRegistry['registry'];
beforeEach(async () => {
  ({ store, clock, registry } = await openTestRegistry());
});

describe('deleting', () => {
  async function boundPod(spec: object = {}): Promise<KubernetesObject> {
    return stored(await registry.create('pods', pod('web', { nodeName: 'node-1', ...spec })));
  }

  it('removes an object without finalizers', async () => {
    stored(await registry.create('configmaps', configMap()));
    expect(refusal(await registry.delete(key('configmaps', 'cm')))).toBe('removed');
    expect(refusal(await registry.delete(key('configmaps', 'cm')))).toBe('NotFound: configmaps "cm" not found');
  });

  it('a pod on a node gets its grace period, which later requests can only shorten', async () => {
    await boundPod({ terminationGracePeriodSeconds: 60 });
    const grace = async (gracePeriodSeconds?: number) => {
      const outcome = await registry.delete(
        key('pods', 'web'),
        gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
      );
      if (outcome.status === 'refused') throw outcome.error;
      const { deletionTimestamp, deletionGracePeriodSeconds, generation } = outcome.object.metadata;
      return [outcome.status, deletionTimestamp, deletionGracePeriodSeconds, generation];
    };
    expect(await grace()).toEqual(['deleting', '2026-01-01T00:01:00Z', 60, 2]);
    clock.advanceBy(5000);
    store.calls.length = 0;
    expect(await grace(90)).toEqual(['deleting', '2026-01-01T00:01:00Z', 60, 2]);
    expect(store.calls).toEqual(['get pods ns/web']);
    expect(await grace(10)).toEqual(['deleting', '2026-01-01T00:00:10Z', 10, 2]);
    expect((await grace(0))[0]).toBe('removed');
  });

  it('a shorter grace period that has passed by now leaves a second to the runtime of the pod', async () => {
    await boundPod({ terminationGracePeriodSeconds: 60 });
    await registry.delete(key('pods', 'web'));
    clock.advanceBy(20_000);
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 10 });
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { metadata: { deletionTimestamp: '2026-01-01T00:00:20Z', deletionGracePeriodSeconds: 1 } },
    });
  });

  it('a pod without a grace period is marked as deleted before it is removed', async () => {
    const object = await boundPod();
    store.calls.length = 0;
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 0 });
    expect(store.calls).toEqual(['get pods ns/web', 'replace pods ns/web', 'remove pods ns/web']);
    expect(outcome).toMatchObject({
      status: 'removed',
      object: {
        metadata: {
          uid: object.metadata.uid,
          deletionTimestamp: '2026-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 0,
        },
      },
    });
  });

  it('a dry run answers with the pod as marked, and writes nothing', async () => {
    await boundPod();
    const outcome = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 0, dryRun: true });
    expect(outcome).toMatchObject({ status: 'removed', object: { metadata: { deletionGracePeriodSeconds: 0 } } });
    expect((await registry.get(key('pods', 'web')))?.metadata.deletionTimestamp).toBeUndefined();
  });

  it.each([9_007_199_254_740_991, 2 ** 63 - 1, 1e300])(
    'a pod with a grace period of %d s is deleted by the latest time that can be written',
    async (terminationGracePeriodSeconds) => {
      await boundPod({ terminationGracePeriodSeconds });
      const outcome = await registry.delete(key('pods', 'web'));
      expect(outcome).toMatchObject({
        status: 'deleting',
        object: { metadata: { deletionTimestamp: '9999-12-31T23:59:59Z' } },
      });
      const sooner = await registry.delete(key('pods', 'web'), { gracePeriodSeconds: 10 });
      expect(sooner).toMatchObject({ object: { metadata: { deletionTimestamp: '2026-01-01T00:00:10Z' } } });
    },
  );

  it.each([
    ['that is on no node', {}, undefined],
    ['that has ended', { nodeName: 'node-1' }, { phase: 'Succeeded' }],
  ])('a pod %s is removed at once', async (_, spec, status) => {
    const object = stored(await registry.create('pods', pod('web', spec)));
    if (status) stored(await registry.update('pods', change(object, { status }), { subresource: 'status' }));
    expect(refusal(await registry.delete(key('pods', 'web')))).toBe('removed');
  });

  it('an object with finalizers stays until the last one is removed', async () => {
    stored(
      await registry.create('deployments.apps', {
        ...deployment(),
        metadata: { ...deployment().metadata, finalizers: ['a/b'] },
      }),
    );
    const outcome = await registry.delete(key('deployments.apps', 'web'));
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { metadata: { deletionGracePeriodSeconds: 0, generation: 2, finalizers: ['a/b'] } },
    });
    const marked = (await registry.get(key('deployments.apps', 'web'))) as KubernetesObject;
    expect(refusal(await registry.update('deployments.apps', changeMeta(marked, { finalizers: ['a/b', 'c/d'] })))).toBe(
      'Invalid: Deployment.apps "web" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    );
    stored(await registry.update('deployments.apps', changeMeta(marked, { finalizers: [] })));
    expect(await registry.get(key('deployments.apps', 'web'))).toBeUndefined();
  });

  it.each([
    ['Foreground', undefined, ['foregroundDeletion']],
    ['Orphan', undefined, ['orphan']],
    [undefined, 'Orphan', ['orphan']],
  ] as const)('propagation %s, by default %s, sets %j', async (propagationPolicy, defaultPropagation, finalizers) => {
    stored(await registry.create('deployments.apps', deployment()));
    const outcome = await registry.delete(key('deployments.apps', 'web'), {
      ...(propagationPolicy && { propagationPolicy }),
      ...(defaultPropagation && { defaultPropagation }),
    });
    expect(outcome).toMatchObject({ status: 'deleting', object: { metadata: { finalizers } } });
    // Without a policy the first request's policy stays; Background replaces it.
    store.calls.length = 0;
    await registry.delete(key('deployments.apps', 'web'), { defaultPropagation: 'Background' });
    expect(store.calls).toEqual(['get deployments.apps ns/web']);
    expect(refusal(await registry.delete(key('deployments.apps', 'web'), { propagationPolicy: 'Background' }))).toBe(
      'removed',
    );
  });

  it('preconditions that do not hold are conflicts', async () => {
    const { uid } = stored(await registry.create('configmaps', configMap())).metadata;
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { preconditions: { uid: 'x' } }))).toBe(
      `Conflict: Operation cannot be fulfilled on ConfigMap "cm": the UID in the precondition (x) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    expect(
      refusal(await registry.delete(key('configmaps', 'cm'), { preconditions: { resourceVersion: '99' } })),
    ).toMatch(/the ResourceVersion in the precondition \(99\) does not match the ResourceVersion in record/);
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { onlyIfControlledBy: 'x' }))).toBe(
      'Conflict: Operation cannot be fulfilled on ConfigMap "cm": its controller is no longer the one with the UID x',
    );
  });

  it('with the object that the caller read costs one write, and never removes a successor of the same name', async () => {
    const old = stored(await registry.create('configmaps', configMap()));
    store.calls.length = 0;
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { from: old }))).toBe('removed');
    expect(store.calls).toEqual(['remove configmaps ns/cm']);
    stored(await registry.create('configmaps', configMap()));
    expect(refusal(await registry.delete(key('configmaps', 'cm'), { from: old }))).toMatch(/^Conflict: /);
  });

  it.each(['default', 'kube-system', 'kube-public'])('the namespace %s cannot be deleted', async (name) => {
    expect(refusal(await registry.delete(key('namespaces', name, '')))).toBe(
      `Forbidden: namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
  });

  it('a namespace is terminating until its own finalizer is removed', async () => {
    const outcome = await registry.delete(key('namespaces', 'ns', ''));
    expect(outcome).toMatchObject({
      status: 'deleting',
      object: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
    });
    expect(refusal(await registry.delete(key('namespaces', 'ns', '')))).toBe('deleting');
    const marked = (await registry.get(key('namespaces', 'ns', ''))) as KubernetesObject;
    stored(await registry.update('namespaces', change(marked, { spec: {} })));
    expect(await registry.get(key('namespaces', 'ns', ''))).toBeDefined();
    stored(await registry.update('namespaces', change(marked, { spec: {} }), { subresource: 'finalize' }));
    expect(await registry.get(key('namespaces', 'ns', ''))).toBeUndefined();
  });

  it('a dry run answers with the outcome and changes nothing', async () => {
    await boundPod();
    expect(refusal(await registry.delete(key('pods', 'web'), { dryRun: true }))).toBe('deleting');
    expect((await registry.get(key('pods', 'web')))?.metadata.deletionTimestamp).toBeUndefined();
  });
});
