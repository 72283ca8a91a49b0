import type { Toleration } from 'kubernetes-types/core/v1.js';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';

/** No pod is left on a node whose NoExecute taints it does not tolerate, or tolerates for a time only. */
export function intolerantPod(world: World): string | undefined {
  const nodes = new Map(world.all<Node>('Node').map((node) => [node.metadata.name, node]));
  const left = world.pods().find((pod) => {
    const taints = nodes.get(pod.spec?.nodeName ?? '')?.spec?.taints ?? [];
    return taints.some(({ key, effect }) => effect === 'NoExecute' && !toleratesFor(pod, key));
  });
  return left && `${nameOf(left)} is on a node whose taint it does not tolerate`;
}

function toleratesFor({ spec }: Pod, taint: string): boolean {
  const isLasting = ({ key, tolerationSeconds }: Toleration) =>
    (key === undefined || key === taint) && tolerationSeconds === undefined;
  return (spec?.tolerations ?? []).some(isLasting);
}
