import { controllerOf } from '../../lambdas/objects/KubernetesObject.ts';
import type { Deployment } from '../../lambdas/objects/kinds.ts';
import { isPodReady } from '../../lambdas/objects/podState.ts';
import { parseWorkKey } from '../../lambdas/ports/WorkKey.ts';
import { isComplete } from './checks/RolloutBounds.ts';
import type { Simulation } from './Simulation.ts';
import { nameOf, type World } from './World.ts';

/** Once faults have stopped and nothing is left to do, everything is as the specs say. Answers with the first thing that is not. */
export async function checkEnd({ world, scheduler, keyLocks, queue }: Simulation): Promise<string | undefined> {
  const nowMs = scheduler.now();
  for (const deployment of world.deployments()) {
    if (!isComplete(world, deployment, nowMs))
      return `${nameOf(deployment)} is not complete: ${JSON.stringify(deployment.status)}`;
    const unmet = unmetCondition(deployment);
    if (unmet !== undefined) return `${nameOf(deployment)} is complete, but its condition ${unmet} does not say so`;
  }
  return unmetReplicas(world) ?? garbage(world) ?? (await leftIntent(keyLocks, queue.seenKeys));
}

function unmetCondition({ status }: Deployment): string | undefined {
  return ['Available', 'Progressing'].find(
    (wanted) => !status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True'),
  );
}

function unmetReplicas(world: World): string | undefined {
  for (const owner of world.replicaOwners()) {
    const replicas = owner.spec?.replicas ?? 1;
    const active = world.activePodsOf(owner.metadata.uid);
    const { replicas: seen = 0, readyReplicas = 0, availableReplicas = 0 } = owner.status ?? {};
    if (active.length !== replicas) return `${nameOf(owner)} has ${active.length} pods where it wants ${replicas}`;
    const counts = [seen, readyReplicas, availableReplicas];
    if (counts.some((count) => count !== replicas))
      return `the status of ${nameOf(owner)} is wrong: ${counts.join(', ')} of ${replicas}`;
    if (!active.every(isPodReady)) return `${nameOf(owner)} has pods that are not ready`;
  }
  return undefined;
}

/** What is on its way out is gone, and so is what lost its owner. An ended pod may stay with its owner: Kubernetes leaves those to their own collector. */
function garbage(world: World): string | undefined {
  const objects = [...world.deployments(), ...world.replicaOwners(), ...world.pods()];
  const leaving = objects.find(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (leaving) return `${nameOf(leaving)} is still on its way out`;
  const dangling = objects.find((object) => {
    const owner = controllerOf(object);
    return owner && !world.byUid(owner.uid);
  });
  return dangling && `${nameOf(dangling)} has outlived its owner`;
}

async function leftIntent(keyLocks: Simulation['keyLocks'], keys: Iterable<string>): Promise<string | undefined> {
  for (const encoded of keys) {
    const key = parseWorkKey(encoded);
    const item = key && (await keyLocks.peek(key));
    if (item?.intent) return `an intent of ${encoded} was left behind`;
  }
  return undefined;
}
