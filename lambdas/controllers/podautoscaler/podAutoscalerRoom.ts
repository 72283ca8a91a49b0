import type { MetricsClient } from '../../ports/MetricsClient.ts';
import { findKind } from '../../registry/findKind.ts';
import { ClusterMetrics } from '../../registry/metrics/ClusterMetrics.ts';
import type { ControllerRoom, RoomParts } from '../ControllerRoom.ts';
import { RecentNodes } from '../pod/RecentNodes.ts';
import { autoscalerReasons } from './autoscalerReasons.ts';
import { createPodAutoscalerController } from './createPodAutoscalerController.ts';

export const podAutoscalerRoom = {
  name: 'horizontalpodautoscaler',
  about: 'horizontalpodautoscalers.autoscaling',
  needs: ['horizontalpodautoscalers.autoscaling', 'pods'],
  shortNames: ['hpa'],
  component: 'horizontal-pod-autoscaler',
  reasons: autoscalerReasons,
  create: (parts) =>
    createPodAutoscalerController({
      registry: parts.registry,
      catalog: parts.catalog,
      clock: parts.ports.clock,
      metrics: metricsOf(parts),
      events: parts.events,
    }),
  explain: async (facts) => (await import('./explainAutoscaler.ts')).explainAutoscalerAndPods(facts),
} as const satisfies ControllerRoom;

/** A node of which a process has seen that it is simulated may be gone for a moment. */
function metricsOf({ registry, catalog, ports, kubelets, nodesRememberMs = 0 }: RoomParts): MetricsClient {
  const nodes = new RecentNodes(registry, ports.clock, nodesRememberMs);
  return new ClusterMetrics({
    registry,
    kubelets,
    findKind: (group, kind) => findKind(catalog, group, kind),
    nodeNamed: (name) => nodes.named(name),
  });
}
