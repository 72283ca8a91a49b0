import type { Node, Pod } from '../../objects/kinds.ts';
import { topologyLabels } from '../../registry/admission/applyTopologyLabels.ts';

/** Returns the pod as it is bound to the node: with its name, and with the labels that pods get from their nodes. Pure. */
export function boundPod(pod: Pod, node: Node): Pod {
  const labels = { ...pod.metadata.labels, ...topologyLabels(node) };
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(Object.keys(labels).length > 0 && { labels }) },
    spec: { containers: [], ...pod.spec, nodeName: node.metadata.name },
  };
}
