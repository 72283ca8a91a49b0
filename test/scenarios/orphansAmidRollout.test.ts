import { expect, test } from 'vitest';
import { withoutOwner } from '../../lambdas/controllers/claim/controllerReference.ts';
import { controllerOf } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { DeploymentBench, templateWith } from '../support/DeploymentBench.ts';

/** `kubectl delete --cascade=orphan`, as far as the garbage collector has carried it out at the end. */
async function orphan(bench: DeploymentBench, { metadata: { name, uid } }: ReplicaSet): Promise<readonly string[]> {
  await bench.objectStore.remove({ resource: 'replicasets.apps', namespace: 'default', name });
  const pods = (await bench.pods()).filter((pod) => controllerOf(pod)?.uid === uid);
  for (const pod of pods) await bench.registry.update<Pod>('pods', withoutOwner(pod, uid));
  return pods.map(({ metadata }) => metadata.name).sort();
}

async function ownedBy(bench: DeploymentBench, replicaSet: string): Promise<readonly string[]> {
  const pods = (await bench.pods()).filter((pod) => controllerOf(pod)?.name === replicaSet);
  return pods.map(({ metadata }) => metadata.name).sort();
}

test('a user deletes the new replica set and orphans its pods while the old one has yet to shrink: the next new one keeps those pods', async () => {
  const bench = new DeploymentBench();
  await bench.bootstrap();
  const rollingUpdate = { maxSurge: 2, maxUnavailable: 1 };
  await bench.deploy({ replicas: 4, strategy: { type: 'RollingUpdate', rollingUpdate } });
  await bench.change({ template: templateWith('nginx:2', { 'simulate.driftless.dev/start-delay': '10s' }) });
  expect(await bench.sizes()).toEqual(['1 nginx:1: 3', '2 nginx:2: 3']);

  const [old, next] = (await bench.replicaSets()) as [ReplicaSet, ReplicaSet];
  const oldKey = { controller: 'replicaset', namespace: 'default', name: old.metadata.name } as const;
  bench.hold(oldKey);
  await bench.advance(20_000);
  expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 3']);
  const orphans = await orphan(bench, next);
  await bench.settle();
  await bench.resume(oldKey);

  expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 4']);
  expect(await ownedBy(bench, next.metadata.name)).toEqual(expect.arrayContaining([...orphans]));
  expect(orphans).toHaveLength(3);
});
