import { observeAutoscaler } from './syncAutoscaler.ts';
import { TargetSelectors } from './TargetSelectors.ts';
import type { ScaleFacts } from './decideScale.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import type { HorizontalPodAutoscaler, Node } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Clock } from '../../ports/Clock.ts';
import { findKind } from '../../registry/findKind.ts';
import { SimulatedMetrics } from '../../registry/metrics/SimulatedMetrics.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';

/** What an autoscaler's decision depends on, except for what its key remembers. */
export type ScalingFacts = Pick<ScaleFacts, 'autoscaler' | 'target' | 'measurements'>;

/** Reads what the autoscaler's next sync will read. */
export async function observeScaling(
  registry: RegistryReader,
  catalog: ResourceCatalog,
  clock: Clock,
  object: KubernetesObject,
): Promise<ScalingFacts> {
  const autoscaler = object as HorizontalPodAutoscaler;
  const metrics = new SimulatedMetrics({
    registry,
    findKind: (group, kind) => findKind(catalog, group, kind),
    nodeNamed: (name) => registry.get<Node>({ resource: 'nodes', namespace: '', name }),
  });
  const selectors = new TargetSelectors({ registry, catalog, clock });
  const parts = { registry, catalog, metrics, selectors };
  return { autoscaler, ...(await observeAutoscaler(parts, autoscaler, clock.now())) };
}
