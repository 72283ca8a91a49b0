import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { isSimulatedNode } from '../../../lambdas/objects/simulated/simulatedNodes.ts';
import { nameOf, type World } from '../World.ts';

/** A node lifecycle controller takes a node for dead after 50 s, so its lease is renewed before. */
const RENEWED_WITHIN_MS = 40_000;

/** Every simulated node has given a sign of life a short time ago. */
export function silentNode(world: World, nowMs: number): string | undefined {
  const silent = world.all<Node>('Node').find((node) => {
    const lease = world.get<Stored<Lease>>('leases.coordination.k8s.io', 'kube-node-lease', node.metadata.name);
    return isSimulatedNode(node) && !(nowMs - Date.parse(lease?.spec?.renewTime ?? '') <= RENEWED_WITHIN_MS);
  });
  return silent && `${nameOf(silent)} has given no sign of life`;
}
