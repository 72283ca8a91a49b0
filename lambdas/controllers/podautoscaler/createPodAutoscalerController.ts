import type { Clock } from '../../ports/Clock.ts';
import type { MetricsClient } from '../../ports/MetricsClient.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { Controller, SyncContext } from '../Controller.ts';
import type { EventRecorder } from '../EventRecorder.ts';
import type { RegistryReader } from '../GuardedWriters.ts';
import { keysForChange } from './keysForChange.ts';
import { AUTOSCALERS } from './observeMeasurements.ts';
import { syncAutoscaler } from './syncAutoscaler.ts';
import { TargetSelectors } from './TargetSelectors.ts';

export interface PodAutoscalerDeps {
  readonly registry: RegistryReader;
  readonly clock: Clock;
  readonly metrics: MetricsClient;
  /** What is served: anything that has a scale can be scaled. */
  readonly catalog: ResourceCatalog;
  /** The recorder of `horizontal-pod-autoscaler`. */
  readonly events: EventRecorder;
}

/** Kubernetes' controller of HorizontalPodAutoscalers. It watches nothing but them. A key that fails is retried for ever. */
export function createPodAutoscalerController(deps: PodAutoscalerDeps): Controller<SyncContext> {
  const parts = { ...deps, selectors: new TargetSelectors(deps) };
  return {
    name: 'horizontalpodautoscaler',
    resources: [AUTOSCALERS],
    watches: [AUTOSCALERS],
    keysFor: keysForChange,
    keysToResync: ({ metadata: { namespace = '', name } }) => [
      { controller: 'horizontalpodautoscaler', namespace, name },
    ],
    sync: (key, context) => syncAutoscaler(parts, key, context),
  };
}
