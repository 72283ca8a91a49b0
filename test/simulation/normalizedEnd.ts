import type { Deployment, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import { controllerOf } from '../../lambdas/objects/KubernetesObject.ts';
import { isPodActive } from '../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from './World.ts';

/**
 * What the end of a run came to, as far as it follows from the script alone. Left out, each for a reason:
 * - UIDs, versions, times, generated names: drawn anew in each run.
 * - ReplicaSets without replicas, and revision numbers: which templates in between were rolled out far enough to leave one depends on timing.
 * - Names of a Deployment's ReplicaSets: one that is created anew under its old name may find the names of its predecessor's taken, and then varies its hash.
 * - Generations, messages of conditions and the rival's annotations: they count and name what happened on the way.
 * - Ended pods: how many failed is the faults' doing.
 */
export function normalizedEnd(world: World): unknown {
  return {
    deployments: world.deployments().map(deploymentEnd).toSorted(byName),
    owners: world
      .replicaOwners()
      .filter((owner) => (owner.spec?.replicas ?? 1) > 0 || !controllerOf(owner))
      .map((owner) => ({
        name: controllerOf(owner)?.name ?? nameOf(owner),
        replicas: owner.spec?.replicas,
        image: owner.spec?.template?.spec?.containers[0]?.image,
        counts: countsOf(owner.status),
        pods: world.podsOf(owner.metadata.uid).filter(isPodActive).length,
      }))
      .toSorted(byName),
    orphans: world.pods().filter((pod) => isPodActive(pod) && !controllerOf(pod)).length,
  };
}

function deploymentEnd(deployment: Deployment) {
  const { spec, status } = deployment;
  const conditions = (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  return { name: nameOf(deployment), spec, counts: countsOf(status), conditions: conditions.toSorted() };
}

function countsOf(status: Deployment['status'] | ReplicaSet['status']) {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status ?? {};
  return { replicas, readyReplicas, availableReplicas };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
