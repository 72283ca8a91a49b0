import type { Node } from '../../objects/kinds.ts';
import type { MetricsClient } from '../../ports/MetricsClient.ts';
import { ClusterMetrics } from '../../registry/metrics/ClusterMetrics.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Returns what answers the request's question about metrics. Nothing is remembered from one request to the next. */
export function metricsOf({
  dependencies: { registry, served, kubelets },
}: Pick<ResourceRequest, 'dependencies'>): MetricsClient {
  const nodes = new Map<string, Promise<Node | undefined>>();
  return new ClusterMetrics({
    registry,
    kubelets,
    async findKind(group, kind) {
      const groups = await served.groups();
      const resources = groups.flatMap(({ versions }) => versions.flatMap((version) => version.resources));
      return resources.find((one) => one.entry.kind === kind && one.group === group && one.entry.virtual !== true)
        ?.entry;
    },
    nodeNamed(name) {
      const known = nodes.get(name) ?? registry.get<Node>({ resource: 'nodes', namespace: '', name });
      nodes.set(name, known);
      return known;
    },
  });
}
