import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { isPodActive } from '../../../lambdas/objects/pods/podState.ts';
import { nameOf, type World } from '../World.ts';
import { nodeObjection } from '../checks/nodeObjection.ts';
import { spreadObjection } from '../checks/spreadObjection.ts';

/** At the end, no pod waits for a node although one has room for it, or would have room without the less important pods. */
export function waitingPod(world: World): string | undefined {
  const pods = world.pods().filter(isPodActive);
  const nodes = world.all<Node>('Node');
  for (const pod of pods.filter(({ spec }) => !spec?.nodeName)) {
    const fitting = nodes.find((node) => fits(pod, node, nodes, pods));
    if (fitting) return `${nameOf(pod)} waits, although ${nameOf(fitting)} has room for it`;
    const takeable = pod.spec?.preemptionPolicy !== 'Never' && nodes.find((node) => takes(pod, node, nodes, pods));
    if (takeable) return `${nameOf(pod)} waits, although less important pods are on ${nameOf(takeable)}`;
  }
  return undefined;
}

function fits(pod: Pod, node: Node, nodes: readonly Node[], pods: readonly Pod[]): boolean {
  const beside = pods.filter(({ spec }) => spec?.nodeName === node.metadata.name);
  const placed = { ...pod, spec: { containers: [], ...pod.spec, nodeName: node.metadata.name } };
  const view = { nodes, changed: [], known: [...pods.filter((one) => one !== pod), placed], possible: [] };
  return (nodeObjection(pod, node, beside) ?? spreadObjection(pod, node, view)) === undefined;
}

/** Whether the pod fits once the less important pods have left the node. */
function takes(pod: Pod, node: Node, nodes: readonly Node[], pods: readonly Pod[]): boolean {
  const isTaken = ({ spec }: Pod) =>
    spec?.nodeName === node.metadata.name && (spec.priority ?? 0) < (pod.spec?.priority ?? 0);
  const left = pods.filter((one) => !isTaken(one));
  return left.length < pods.length && fits(pod, node, nodes, left);
}
