import type { LabelPredicate } from '../objects/selectors/labelSelector.ts';
import type { Node, Pod } from '../objects/kinds.ts';
import type { ContainerUsage, Usage } from '../objects/simulated/simulatedUsage.ts';
import type { Quantity } from '../objects/quantities/quantity.ts';

/** When something was measured, and over which time before that; milliseconds. */
export interface Measurement {
  readonly timestampMs: number;
  readonly windowMs: number;
}

/** What the running containers of a pod use. */
export interface PodUsage extends Measurement {
  readonly pod: Pod;
  readonly containers: readonly ContainerUsage[];
}

/** `problems`: what could not be read, as sentences; the usages are then what they would be without it. */
export interface PodUsages {
  readonly usages: readonly PodUsage[];
  readonly problems: readonly string[];
}

/** What a node uses. */
export interface NodeUsage extends Measurement {
  readonly node: Node;
  readonly usage: Usage;
}

/** `problems`: as of `PodUsages`. */
export interface NodeUsages {
  readonly usages: readonly NodeUsage[];
  readonly problems: readonly string[];
}

/** The value of a metric of one object. */
export interface ObjectMetricValue extends Measurement {
  readonly objectName: string;
  readonly value: Quantity;
}

/** The value of one series of an external metric. */
export interface ExternalMetricValue extends Measurement {
  readonly metricLabels: Readonly<Record<string, string>>;
  readonly value: Quantity;
}

/** `unavailable`: the source cannot tell, and why, in words for a user. */
export type Measured<T> =
  | { readonly status: 'measured'; readonly value: T }
  | { readonly status: 'unavailable'; readonly message: string };

/** An object as a HorizontalPodAutoscaler refers to it. */
export interface DescribedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * What is measured: the answers of the three metrics APIs (`metrics.k8s.io`, `custom.metrics.k8s.io` and `external.metrics.k8s.io`). It only reads. An object about which nothing is known is left out of a list, and no value is made up
 * for it. Values are not below zero. Equal questions about the same moment and the same objects have equal answers. Rejects if it cannot read.
 */
export interface MetricsClient {
  /** What each of these pods uses, in their order. Pods that share a load must all be given, or the shares come out too large. */
  podUsages(pods: readonly Pod[], nowMs: number): Promise<PodUsages>;

  /** What each of these nodes uses, in their order. `pods`: all pods of the cluster; a node with a kubelet needs none. */
  nodeUsages(nodes: readonly Node[], pods: readonly Pod[], nowMs: number): Promise<NodeUsages>;

  /** The values of a metric that these pods have, in their order; `unavailable` if none has it. Pods that share a load must all be given. `selects` is asked about the labels of each series. */
  podMetric(
    metric: string,
    pods: readonly Pod[],
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<readonly ObjectMetricValue[]>>;

  /** The value of a metric of one object in the namespace, or of the namespace itself. `unavailable` if it does not exist or has no such metric. */
  objectMetric(
    metric: string,
    namespace: string,
    described: DescribedObject,
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<ObjectMetricValue>>;

  /** The values of the selected series of a metric of something outside the cluster, sorted by their labels; empty if nothing has that metric. */
  externalMetric(
    metric: string,
    namespace: string,
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<readonly ExternalMetricValue[]>>;
}
