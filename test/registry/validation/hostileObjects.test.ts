import * as fc from '../../support/seededFastCheck.ts';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { applyDeploymentDefaults } from '../../../lambdas/registry/resources/deployments.ts';
import { applyPodDefaults } from '../../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { applyReplicaSetDefaults } from '../../../lambdas/registry/resources/replicaSets.ts';
import { applyReplicationControllerDefaults } from '../../../lambdas/registry/resources/replicationControllers.ts';
import {
  validateDeployment,
  validateDeploymentStatusUpdate,
  validateDeploymentUpdate,
} from '../../../lambdas/registry/validation/workloads/validateDeployment.ts';
import { validatePod } from '../../../lambdas/registry/validation/pods/validatePod.ts';
import { validatePodStatusUpdate } from '../../../lambdas/registry/validation/pods/validatePodStatus.ts';
import { validatePodUpdate } from '../../../lambdas/registry/validation/pods/validatePodUpdate.ts';
import { validateReplicaSet } from '../../../lambdas/registry/validation/workloads/validateReplicaSet.ts';
import { validateReplicationController } from '../../../lambdas/registry/validation/workloads/validateReplicationController.ts';
import { deployments, replicaSets, spoiled } from '../../support/arbitraries.ts';

/** The pod that a template describes. */
function podOf(object: KubernetesObject): KubernetesObject {
  const { template } = (object['spec'] ?? {}) as { template?: { spec?: unknown } };
  return { apiVersion: 'v1', kind: 'Pod', metadata: object.metadata, spec: template?.spec, status: object['status'] };
}

const cases: readonly (readonly [string, (object: KubernetesObject, old: KubernetesObject) => unknown])[] = [
  ['Deployment', (object, old) => [validateDeployment(object), validateDeploymentUpdate(object, old)]],
  ['Deployment status', validateDeploymentStatusUpdate],
  ['ReplicaSet', (object) => [applyReplicaSetDefaults(object), validateReplicaSet(object)]],
  [
    'ReplicationController',
    (object) => [applyReplicationControllerDefaults(object), validateReplicationController(object)],
  ],
  ['defaulted Deployment', (object) => [applyDeploymentDefaults(object), validateDeployment(object)]],
  [
    'Pod',
    (object, old) => {
      const [pod, oldPod] = [podOf(object), podOf(old)];
      applyPodDefaults(pod);
      return [validatePod(pod), validatePodUpdate(pod, oldPod), validatePodStatusUpdate(pod, oldPod)];
    },
  ],
];

describe('validating hostile objects never throws', () => {
  it.each(cases)('%s', (_, judge) => {
    const objects = fc.oneof(spoiled(deployments('apps/v1')), spoiled(replicaSets('apps/v1')));
    fc.assert(
      fc.property(objects, objects, (object, old) => {
        expect(() => judge(structuredClone(object), old)).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });
});
