import { amountAt } from '../../objects/simulated/amountTimeline.ts';
import { notFound } from '../../objects/apiErrors.ts';
import { parseExternalSeries, SERIES_FORM } from '../../objects/simulated/externalSeries.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import type { LabelPredicate } from '../../objects/selectors/labelSelector.ts';
import { formatRequirements } from '../../objects/selectors/labelRequirement.ts';
import type { ObjectKey } from '../../objects/ObjectKey.ts';
import { isPodActive, isPodReady } from '../../objects/pods/podState.ts';
import { type NodePoints, usageOfNode, usageOfPod } from '../../objects/nodes/measureUsage.ts';
import type { Quantity } from '../../objects/quantities/quantity.ts';
import { hasNoMetrics, type ReadAmount, readSimulatedAmount } from '../../objects/simulated/simulatedAmounts.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { MEASURED_RESOURCES, podUsage, totalUsage } from '../../objects/simulated/simulatedUsage.ts';
import type { KubeletMeasurements } from '../../ports/KubeletMeasurements.ts';
import type {
  DescribedObject,
  ExternalMetricValue,
  Measured,
  MetricsClient,
  NodeUsage,
  NodeUsages,
  ObjectMetricValue,
  PodUsage,
  PodUsages,
} from '../../ports/MetricsClient.ts';
import { apiGroupOf } from '../findKind.ts';
import type { Registry } from '../Registry.ts';
import type { ResourceEntry } from '../ResourceEntry.ts';
import { observeWorkloads } from './workloadOf.ts';

export interface ClusterMetricsParts {
  readonly registry: Pick<Registry, 'get'>;
  /** Finds the resource of a kind in an API group. */
  readonly findKind: (group: string, kind: string) => Promise<ResourceEntry | undefined>;
  /** Looks up a node; a node may be remembered for some seconds. */
  readonly nodeNamed: (name: string) => Promise<Node | undefined>;
  /** Absent: nothing is known of nodes with a kubelet and of their pods. */
  readonly kubelets?: KubeletMeasurements | undefined;
}

type Nodes = ReadonlyMap<string, Node>;

/** The time over which metrics-server measures. */
const WINDOW_MS = 15_000;

/**
 * Metrics of simulated pods are what annotations tell (see README.md, "Make pods fail"). A load of a workload is shared by its ready pods in equal parts, so more pods have less to do. What pods on nodes with a kubelet use, the kubelet
 * tells; they have no other metrics.
 */
export class ClusterMetrics implements MetricsClient {
  readonly #parts: ClusterMetricsParts;

  constructor(parts: ClusterMetricsParts) {
    this.#parts = parts;
  }

  async podUsages(pods: readonly Pod[], nowMs: number): Promise<PodUsages> {
    const [nodes, loads] = await Promise.all([this.#nodesOf(pods), this.#observeLoads(pods, nowMs)]);
    const points = await this.#pointsOf([...nodes.values()]);
    const usages = pods.flatMap((pod): PodUsage[] => {
      const measured = points.get(pod.spec?.nodeName ?? '');
      if (!measured) return isSimulated(pod, nodes) ? simulatedUsage(pod, loads, nowMs) : [];
      const usage = usageOfPod(measured, pod);
      return usage ? [{ pod, ...usage }] : [];
    });
    return { usages, problems: loads.problems(MEASURED_RESOURCES) };
  }

  async nodeUsages(nodes: readonly Node[], pods: readonly Pod[], nowMs: number): Promise<NodeUsages> {
    const [loads, points] = await Promise.all([this.#observeLoads(pods, nowMs), this.#pointsOf(nodes)]);
    const usages = nodes.flatMap((node): NodeUsage[] => {
      const { name } = node.metadata;
      if (!isSimulatedNode(node)) {
        const own = points.get(name);
        const measured = own && usageOfNode(own);
        return measured ? [{ node, ...measured }] : [];
      }
      const there = pods.filter((pod) => pod.spec?.nodeName === name && !hasNoMetrics(pod));
      const containers = there.flatMap((pod) => simulatedUsage(pod, loads, nowMs).flatMap((one) => one.containers));
      return [{ node, usage: totalUsage(containers), ...measuredAt(nowMs) }];
    });
    return { usages, problems: loads.problems(MEASURED_RESOURCES) };
  }

  async podMetric(
    metric: string,
    pods: readonly Pod[],
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<readonly ObjectMetricValue[]>> {
    const [nodes, loads] = await Promise.all([this.#nodesOf(pods), this.#observeLoads(pods, nowMs)]);
    const problems = loads.problems([metric]);
    if (problems.length > 0) return { status: 'unavailable', message: problems.join('; ') };
    const value = pods.flatMap((pod): ObjectMetricValue[] => {
      if (!isSimulated(pod, nodes)) return [];
      const own = readSimulatedAmount(pod, `metric-${metric}`, nowMs);
      const read = own.status === 'read' ? own : loads.shareOf(pod, metric);
      if (read.status !== 'read' || !selects(undefined)) return [];
      return [{ objectName: pod.metadata.name, value: read.amount, ...measuredAt(nowMs) }];
    });
    if (value.length > 0) return { status: 'measured', value };
    return { status: 'unavailable', message: `the server could not find the metric ${metric} for pods` };
  }

  async objectMetric(
    metric: string,
    namespace: string,
    described: DescribedObject,
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<ObjectMetricValue>> {
    const found = await this.#find(namespace, described);
    if (typeof found === 'string') return { status: 'unavailable', message: found };
    const read = readSimulatedAmount(found, `metric-${metric}`, nowMs);
    if (read.status === 'unreadable') return { status: 'unavailable', message: read.problem };
    if (read.status === 'read' && selects(undefined))
      return { status: 'measured', value: { objectName: described.name, value: read.amount, ...measuredAt(nowMs) } };
    const message = `the server could not find the metric ${metric} for ${described.kind} ${described.name}`;
    return { status: 'unavailable', message };
  }

  async externalMetric(
    metric: string,
    namespace: string,
    selects: LabelPredicate,
    nowMs: number,
  ): Promise<Measured<readonly ExternalMetricValue[]>> {
    const key = { resource: 'namespaces', namespace: '', name: namespace };
    const { metadata } = (await this.#parts.registry.get(key)) ?? {};
    const annotation = `simulate.driftless.dev/external-${metric}`;
    const text = metadata?.annotations?.[annotation];
    if (metadata === undefined || text === undefined) return { status: 'measured', value: [] };
    const series = parseExternalSeries(text);
    if (!series)
      return { status: 'unavailable', message: `${annotation}: ${JSON.stringify(text)} is not ${SERIES_FORM}` };
    const value = series.flatMap(({ metricLabels, timeline }): ExternalMetricValue[] => {
      const amount = amountAt(timeline, nowMs - Date.parse(metadata.creationTimestamp));
      return amount && selects(metricLabels) ? [{ metricLabels, value: amount, ...measuredAt(nowMs) }] : [];
    });
    return { status: 'measured', value: value.sort(byLabels) };
  }

  /** Returns the object that is meant; a text says why it is not found. */
  async #find(
    namespace: string,
    { apiVersion = 'v1', kind, name }: DescribedObject,
  ): Promise<KubernetesObject | string> {
    const { registry, findKind } = this.#parts;
    const group = apiGroupOf(apiVersion);
    if (kind === 'Namespace' && group === '') {
      const found = await registry.get({ resource: 'namespaces', namespace: '', name: namespace });
      return found ?? notFound('namespaces', namespace).message;
    }
    const entry = await findKind(group, kind);
    if (!entry) return `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
    const key = { resource: entry.groupResource, namespace: entry.namespaced ? namespace : '', name };
    return (await registry.get(key)) ?? notFound(entry.groupResource, name).message;
  }

  async #nodesOf(pods: readonly Pod[]): Promise<Nodes> {
    const names = new Set(pods.flatMap(({ spec }) => spec?.nodeName ?? []));
    const nodes = await Promise.all([...names].map((name) => this.#parts.nodeNamed(name)));
    return new Map(nodes.flatMap((node) => (node ? [[node.metadata.name, node] as const] : [])));
  }

  async #pointsOf(nodes: readonly Node[]): Promise<ReadonlyMap<string, NodePoints>> {
    const real = nodes.filter((node) => !isSimulatedNode(node));
    return real.length === 0 || !this.#parts.kubelets ? new Map() : await this.#parts.kubelets.of(real);
  }

  async #observeLoads(pods: readonly Pod[], nowMs: number): Promise<Loads> {
    const workloads = await observeWorkloads(pods, (key: ObjectKey) => this.#parts.registry.get(key));
    return new Loads(workloads, nowMs);
  }
}

/** Whether something is known of a pod that a simulated node runs. */
function isSimulated(pod: Pod, nodes: Nodes): boolean {
  const node = nodes.get(pod.spec?.nodeName ?? '');
  return node !== undefined && isSimulatedNode(node) && !hasNoMetrics(pod);
}

function simulatedUsage(pod: Pod, loads: Loads, nowMs: number): PodUsage[] {
  const shares = MEASURED_RESOURCES.flatMap((name) => {
    const share = loads.shareOf(pod, name);
    return share.status === 'read' ? [[name, share.amount] as const] : [];
  });
  const containers = podUsage(pod, nowMs, Object.fromEntries(shares));
  return containers ? [{ pod, containers, ...measuredAt(nowMs) }] : [];
}

/** The loads of workloads, and how many pods bear them. */
class Loads {
  readonly #workloads: ReadonlyMap<Pod, KubernetesObject>;
  readonly #ready = new Map<KubernetesObject, number>();
  readonly #nowMs: number;

  constructor(workloads: ReadonlyMap<Pod, KubernetesObject>, nowMs: number) {
    this.#workloads = workloads;
    this.#nowMs = nowMs;
    for (const [pod, workload] of workloads)
      if (bearsLoad(pod)) this.#ready.set(workload, (this.#ready.get(workload) ?? 0) + 1);
  }

  /** What the pod bears of the load of that name: nothing if it is not ready. */
  shareOf(pod: Pod, name: string): ReadAmount {
    const workload = this.#workloads.get(pod);
    if (!workload) return { status: 'absent' };
    const load = readSimulatedAmount(workload, `load-${name}`, this.#nowMs);
    if (load.status !== 'read') return load;
    const { nanos, format } = load.amount;
    const amount: Quantity = { nanos: bearsLoad(pod) ? nanos / BigInt(this.#ready.get(workload) ?? 1) : 0n, format };
    return { status: 'read', amount };
  }

  problems(names: readonly string[]): readonly string[] {
    const problems = [...new Set(this.#workloads.values())].flatMap((workload) =>
      names.flatMap((name) => {
        const read = readSimulatedAmount(workload, `load-${name}`, this.#nowMs);
        const { namespace, name: workloadName } = workload.metadata;
        return read.status === 'unreadable' ? [`${workload.kind} ${namespace}/${workloadName}: ${read.problem}`] : [];
      }),
    );
    return problems;
  }
}

/** A pod that is not ready, or is being deleted, gets no requests from a Service. */
function bearsLoad(pod: Pod): boolean {
  return isPodReady(pod) && isPodActive(pod);
}

/** The APIs tell times in whole seconds. */
function measuredAt(nowMs: number) {
  return { timestampMs: Math.floor(nowMs / 1_000) * 1_000, windowMs: WINDOW_MS };
}

function byLabels(a: ExternalMetricValue, b: ExternalMetricValue): number {
  const [one, other] = [a, b].map(({ metricLabels }) => textOf(metricLabels));
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

function textOf(labels: Readonly<Record<string, string>>): string {
  const requirements = Object.entries(labels).map(([key, value]) => ({ key, operator: '=', values: [value] }) as const);
  return formatRequirements(requirements);
}
