import { expect, test } from 'vitest';
import { parseStackProps } from '../../infra/cdk/parseStackProps.ts';
import type { PersistentVolumeClaim, Pod } from '../../lambdas/objects/kinds.ts';
import { ModelStack } from '../bench/ModelStack.ts';
import { LOCAL_CLASS, localClaim, localVolume, podWithClaim } from '../support/localVolume.ts';

test('a pod runs where the volume of its claim is, in the functions over models of the services', async () => {
  const stack = new ModelStack(parseStackProps(), () => {});
  const { registry } = stack.api;
  await stack.bootstrap(['default'], 3);
  await stack.finish(async () => {
    await registry.create('storageclasses.storage.k8s.io', LOCAL_CLASS);
    await registry.create('persistentvolumeclaims', localClaim('one'));
    await registry.create('pods', podWithClaim('one'));
  });
  await stack.pass(30_000);
  await stack.finish(() => registry.create('persistentvolumes', localVolume('disk', 'driftless-node-2')));
  await stack.pass(60_000);
  let claim: PersistentVolumeClaim | undefined;
  let pod: Pod | undefined;
  await stack.finish(async () => {
    claim = await registry.get({ resource: 'persistentvolumeclaims', namespace: 'default', name: 'one' });
    pod = await registry.get({ resource: 'pods', namespace: 'default', name: 'one' });
  });
  expect(claim).toMatchObject({ spec: { volumeName: 'disk' }, status: { phase: 'Bound' } });
  expect(pod).toMatchObject({ spec: { nodeName: 'driftless-node-2' }, status: { phase: 'Running' } });
}, 120_000);
