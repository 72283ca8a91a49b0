import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { RegistryContext } from '../RegistryContext.ts';

/** The labels of a node that its pods get. */
const TOPOLOGY = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

type Labels = Readonly<Record<string, string>>;

/** Returns the labels that a pod gets from its node: where the node is. Pure. */
export function topologyLabels(node: Pick<Node, 'metadata'> | undefined): Labels {
  const labels = node?.metadata.labels ?? {};
  return Object.fromEntries(TOPOLOGY.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

/**
 * PodTopologyLabels: adds the topology of the node that `spec.nodeName` names to the labels of a new pod, or of a pod as it is bound. Labels that it has already stay. A node that does not exist adds none. At most
 * one read, which may be a few seconds old. Returns the pod itself if nothing is added.
 */
export async function applyTopologyLabels<T extends KubernetesObject>(
  { admission }: RegistryContext,
  pod: T,
): Promise<T> {
  const { nodeName = '' } = (pod as Pod).spec ?? {};
  const labels = nodeName === '' ? {} : topologyLabels(await admission.node(nodeName));
  if (Object.keys(labels).length === 0) return pod;
  return { ...pod, metadata: { ...pod.metadata, labels: { ...labels, ...pod.metadata.labels } } };
}
