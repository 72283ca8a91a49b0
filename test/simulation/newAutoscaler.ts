import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { AutoscalerSpec, Target } from './ClientOp.ts';

/** The name of the metric, and how much of it one pod should have. */
export const LOAD_METRIC = { name: 'work', perPod: 10 } as const;

/** Returns the object that a script's `createAutoscaler` sends: of the Deployment with its name. */
export function newAutoscaler({ namespace, name }: Target, given: AutoscalerSpec): NewObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { namespace, name },
    spec: autoscalerSpec(name, given),
  };
}

/** The spec of an autoscaler of the Deployment of that name. */
export function autoscalerSpec(name: string, { metric, ...spec }: AutoscalerSpec) {
  const target = { type: 'AverageValue', averageValue: String(LOAD_METRIC.perPod) };
  const source = { metric: { name: LOAD_METRIC.name }, target };
  return {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    ...spec,
    metrics: [metric === 'External' ? { type: metric, external: source } : { type: metric, pods: source }],
  };
}
