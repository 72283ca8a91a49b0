import { expect, test } from 'vitest';
import { ROLLBACK_TO } from '../../lambdas/objects/deployments/deploymentAnnotations.ts';
import { controllerOf } from '../../lambdas/objects/KubernetesObject.ts';
import type { Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { withoutOwner } from '../../lambdas/controllers/claim/controllerReference.ts';
import { DeploymentBench } from '../support/DeploymentBench.ts';

test.each(['RollingUpdate', 'Recreate'])(
  'a rollback after the only replica set was deleted and its pods orphaned keeps those pods: %s',
  async (type) => {
    const bench = new DeploymentBench();
    await bench.bootstrap();
    await bench.deploy({ replicas: 3, strategy: { type } });
    const [replicaSet] = (await bench.replicaSets()) as [ReplicaSet];
    const before = (await bench.pods()).map(({ metadata }) => metadata.uid).sort();

    const { name, uid } = replicaSet.metadata;
    await bench.objectStore.remove({ resource: 'replicasets.apps', namespace: 'default', name });
    for (const pod of await bench.pods()) await bench.registry.update<Pod>('pods', withoutOwner(pod, uid));
    await bench.change({}, { [ROLLBACK_TO]: '1' });

    const after = await bench.pods();
    expect(after.map(({ metadata }) => metadata.uid).sort()).toEqual(before);
    expect(after.map((pod) => controllerOf(pod)?.name)).toEqual([name, name, name]);
  },
);
