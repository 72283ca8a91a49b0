import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Node } from '../../../lambdas/objects/kinds.ts';
import { isSimulatedNode } from '../../../lambdas/objects/simulated/simulatedNodes.ts';
import { nameOf, type World } from '../World.ts';

/** Kubernetes' `node-monitor-grace-period`, and a period of its monitor. */
const SILENT_MS = 55_000;
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** A node that has given no sign of life for a minute is said to be unreachable, by its condition and by its taints; no other is. */
export function unjudgedNode(world: World, nowMs: number): string | undefined {
  for (const node of world.all<Node>('Node')) {
    if (isSimulatedNode(node)) continue;
    const lease = world.get<Stored<Lease>>('leases.coordination.k8s.io', 'kube-node-lease', node.metadata.name);
    const renewedMs = Date.parse(lease?.spec?.renewTime ?? node.metadata.creationTimestamp);
    const isSilent = nowMs - renewedMs > SILENT_MS;
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    const isTainted = (node.spec?.taints ?? []).some(
      ({ key, effect }) => key === UNREACHABLE && effect === 'NoExecute',
    );
    if (isSilent && (ready !== 'Unknown' || !isTainted)) return `${nameOf(node)} is silent, and ${ready} is said of it`;
    if (!isSilent && isTainted) return `${nameOf(node)} is alive, and said to be unreachable`;
  }
  return undefined;
}
