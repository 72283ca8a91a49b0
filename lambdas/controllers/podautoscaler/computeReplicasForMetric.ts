import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from 'kubernetes-types/autoscaling/v2.js';
import { formatQuantity, parseQuantity } from '../../objects/quantities/quantity.ts';
import {
  type Arithmetic,
  calcPlainMetricReplicas,
  type Calculated,
  type Calculation,
  getPerPodReplicas,
  getResourceReplicas,
  getUsageRatioReplicas,
  type ReplicaFacts,
} from './calculateReplicas.ts';
import { goSelectorText } from '../../objects/go/goSelectorText.ts';
import type { MetricReading } from './observeMetrics.ts';
import { milliQuantity, milliValue, type PodMetrics } from './PodMetrics.ts';

/** How many replicas one metric asks for. */
export type MetricProposal =
  | {
      readonly status: 'proposed';
      readonly replicas: number;
      /** As messages name the metric: `cpu resource utilization (percentage of request)`. */
      readonly name: string;
      readonly metricStatus: MetricStatus;
      /** The measured and the wanted value, as a user reads them. */
      readonly measured: string;
      readonly target: string;
      readonly arithmetic: Arithmetic;
    }
  | {
      readonly status: 'failed';
      /** The reason of the event and of the condition. */
      readonly reason: string;
      readonly message: string;
      /** The message with the metric in front, as it stands in the error about all metrics. */
      readonly context: string;
    };

type Failed = Extract<MetricProposal, { status: 'failed' }>;

/** Kubernetes' `computeReplicasForMetric`. Pure. */
export function computeReplicasForMetric(
  spec: MetricSpec,
  reading: MetricReading,
  facts: ReplicaFacts,
): MetricProposal {
  const { resource, containerResource, pods, object, external } = spec;
  if (resource) return computeStatusForResourceMetric(spec, resource, reading, facts);
  if (containerResource) return computeStatusForResourceMetric(spec, containerResource, reading, facts);
  if (pods) return computeStatusForPodsMetric(pods, reading, facts);
  if (object) return computeStatusForObjectMetric(object, reading, facts);
  if (external) return computeStatusForExternalMetric(external, reading, facts);
  const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return { status: 'failed', reason: 'InvalidMetricSourceType', message, context: message };
}

type ResourceSource = NonNullable<MetricSpec['resource']> & { readonly container?: string };

/** For metrics of pods, and of one container in each pod. */
function computeStatusForResourceMetric(
  { type }: MetricSpec,
  { name: resource, target, container }: ResourceSource,
  reading: MetricReading,
  facts: ReplicaFacts,
): MetricProposal {
  const isRaw = target.averageValue !== undefined;
  const calculation = onPods(reading, (metrics) =>
    isRaw
      ? calcPlainMetricReplicas(facts, metrics, { resource, usageMilli: targetMilli(target.averageValue) })
      : getResourceReplicas(facts, metrics, {
          resource,
          ...(container !== undefined && { container }),
          utilization: target.averageUtilization ?? 0,
        }),
  );
  if (calculation.status === 'failed') {
    const message = `failed to get ${resource} ${isRaw ? 'usage' : 'utilization'}: ${calculation.message}`;
    return container === undefined
      ? failure('FailedGetResourceMetric', message, `${resource} resource metric`)
      : failure('FailedGetContainerResourceMetric', message, `${container} container metric`);
  }
  const { utilization, usageMilli } = calculation;
  const current = {
    ...(utilization !== undefined && { averageUtilization: utilization }),
    averageValue: quantityText(usageMilli),
  };
  const of = container === undefined ? `${resource} ` : `${resource} container `;
  return {
    ...proposed(calculation, current, target),
    name: isRaw ? `${resource} resource` : `${of}resource utilization (percentage of request)`,
    metricStatus:
      container === undefined
        ? { type, resource: { name: resource, current } }
        : { type, containerResource: { name: resource, container, current } },
  };
}

function computeStatusForPodsMetric(
  { metric, target }: NonNullable<MetricSpec['pods']>,
  reading: MetricReading,
  facts: ReplicaFacts,
): MetricProposal {
  const usageMilli = targetMilli(target.averageValue);
  const calculation = onPods(reading, (metrics) =>
    calcPlainMetricReplicas(facts, metrics, { resource: '', usageMilli }),
  );
  if (calculation.status === 'failed') return failure('FailedGetPodsMetric', calculation.message, 'pods metric');
  const current = { averageValue: quantityText(calculation.usageMilli) };
  return {
    ...proposed(calculation, current, target),
    name: `pods metric ${metric.name}`,
    metricStatus: { type: 'Pods', pods: { metric: identifier(metric), current } },
  };
}

function computeStatusForObjectMetric(
  { metric, target, describedObject }: NonNullable<MetricSpec['object']>,
  reading: MetricReading,
  facts: ReplicaFacts,
): MetricProposal {
  const isTotal = target.type === 'Value' && target.value !== undefined;
  const calculation = onValue(reading, target, isTotal, facts);
  if (calculation.status === 'failed') {
    const message = isTotal
      ? calculation.message
      : `failed to get ${metric.name} object metric: ${calculation.message}`;
    return failure('FailedGetObjectMetric', message, 'object metric');
  }
  const text = quantityText(calculation.usageMilli);
  const current = isTotal ? { value: text } : { averageValue: text };
  return {
    ...proposed(calculation, current, target),
    // Kubernetes names such a metric as an external one.
    name: isTotal ? `${describedObject.kind} metric ${metric.name}` : externalName(metric),
    // Only in Kubernetes' status for a target value the object is named.
    metricStatus: {
      type: 'Object',
      object: {
        metric: identifier(metric),
        current,
        describedObject: isTotal ? describedObject : { kind: '', name: '' },
      },
    },
  };
}

function computeStatusForExternalMetric(
  { metric, target }: NonNullable<MetricSpec['external']>,
  reading: MetricReading,
  facts: ReplicaFacts,
): MetricProposal {
  const isTotal = target.averageValue === undefined;
  const calculation = onValue(reading, target, isTotal, facts);
  if (calculation.status === 'failed') {
    const what = isTotal ? `external metric ${metric.name}` : `${metric.name} external metric`;
    const message = `failed to get ${what}: ${calculation.message}`;
    return failure('FailedGetExternalMetric', message, `${metric.name} external metric`);
  }
  const text = quantityText(calculation.usageMilli);
  const current = isTotal ? { value: text } : { averageValue: text };
  return {
    ...proposed(calculation, current, target),
    name: externalName(metric),
    metricStatus: { type: 'External', external: { metric: identifier(metric), current } },
  };
}

function failure(reason: string, message: string, what: string): Failed {
  return { status: 'failed', reason, message, context: `failed to get ${what} value: ${message}` };
}

function onPods(reading: MetricReading, calculate: (metrics: PodMetrics) => Calculation): Calculation {
  if (reading.of === 'pods') return calculate(reading.metrics);
  return { status: 'failed', message: reading.of === 'nothing' ? reading.message : 'no metrics of pods were read' };
}

function onValue(reading: MetricReading, target: MetricTarget, isTotal: boolean, facts: ReplicaFacts): Calculation {
  if (reading.of !== 'value')
    return { status: 'failed', message: reading.of === 'nothing' ? reading.message : 'no single value was read' };
  return isTotal
    ? getUsageRatioReplicas(facts, reading.valueMilli, targetMilli(target.value))
    : getPerPodReplicas(facts, reading.valueMilli, targetMilli(target.averageValue));
}

function proposed({ replicas, arithmetic }: Calculated, current: MetricValueStatus, target: MetricTarget) {
  return { status: 'proposed', replicas, arithmetic, measured: valueText(current), target: valueText(target) } as const;
}

/** `75%`, or an amount. */
function valueText({ averageUtilization, averageValue, value }: MetricValueStatus): string {
  return averageUtilization === undefined ? (averageValue ?? value ?? '') : `${averageUtilization}%`;
}

function identifier({ name, selector }: MetricIdentifier): MetricIdentifier {
  return { name, ...(selector && { selector }) };
}

function externalName({ name, selector }: MetricIdentifier): string {
  return `external metric ${name}(${goSelectorText(selector)})`;
}

/** Validation has seen to it that there is a positive target. */
function targetMilli(target: string | undefined): number {
  const quantity = parseQuantity(target);
  return quantity ? milliValue(quantity) : 0;
}

function quantityText(milli: number): string {
  return formatQuantity(milliQuantity(milli));
}
