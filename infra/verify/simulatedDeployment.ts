import type { Node } from '../../lambdas/objects/kinds.ts';
import { isSimulatedNode } from '../../lambdas/objects/simulated/simulatedNodes.ts';
import type { ClusterApi } from './ClusterApi.ts';

/** The nodes that a kubelet owns, and those that are simulated. */
export async function listNodes(
  api: ClusterApi,
): Promise<{ readonly real: readonly Node[]; readonly simulated: readonly Node[] }> {
  const { items } = await api.get<{ readonly items: readonly Node[] }>('/api/v1/nodes');
  return { real: items.filter((node) => !isSimulatedNode(node)), simulated: items.filter(isSimulatedNode) };
}

interface Wanted {
  readonly name: string;
  readonly image: string;
  readonly replicas: number;
}

/** A Deployment whose pods are simulated, also beside real nodes: the stack's own times are measured, not those of an image. */
export async function simulatedDeployment(api: ClusterApi, { name, image, replicas }: Wanted): Promise<object> {
  const { real, simulated } = await listNodes(api);
  const labels = { app: name };
  const podSpec = { containers: [{ name: 'nginx', image }], ...(real.length > 0 && { affinity: onlyOn(simulated) }) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  };
}

function onlyOn(nodes: readonly Node[]): object {
  const values = nodes.flatMap(({ metadata }) => metadata?.name ?? []);
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: values.slice(0, 1) }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } },
  };
}
