import type { Node } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';

/** No pod is on a node that is gone. */
export function strandedPod(world: World): string | undefined {
  const nodes = new Set(world.all<Node>('Node').map(({ metadata }) => metadata.name));
  const stranded = world.pods().find(({ spec }) => spec?.nodeName !== undefined && !nodes.has(spec.nodeName));
  return stranded && `${nameOf(stranded)} is on a node that is gone`;
}
