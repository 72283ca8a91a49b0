import { notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { totalUsage } from '../../objects/simulated/simulatedUsage.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { PodUsage } from '../../ports/MetricsClient.ts';
import { WINDOW_MS } from '../../registry/metrics/SimulatedMetrics.ts';
import { type NodeMetrics, nodeMetrics, type PodMetrics } from '../../registry/resources/metrics.ts';
import { parseSelection } from '../list/Selection.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondList, respondObject } from '../response/respond.ts';
import { metricsOf } from './metricsOf.ts';

const API_VERSION = 'metrics.k8s.io/v1beta1';

/** Answers a get or a list of `metrics.k8s.io`, which `kubectl top` asks for: what simulated pods use, and the sums for their nodes. Only such a request reads anything. */
export async function serveMetrics(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  const isNodes = resource.entry.groupResource === nodeMetrics.groupResource;
  if (info.isCollection) {
    const matches = parseSelection(request);
    const all = isNodes ? await metricsOfNodes(request) : await metricsOfPods(request);
    return respondList(request, all.filter(matches), { resourceVersion: '' });
  }
  const found = isNodes ? await metricsOfNode(request) : await metricsOfPod(request);
  if (found) return respondObject(request, found);
  throw isNodes
    ? notFound('nodemetrics.metrics.k8s.io', info.name)
    : notFound('podmetrics.metrics.k8s.io', `${info.namespace}/${info.name}`);
}

async function metricsOfPods(request: ResourceRequest): Promise<PodMetrics[]> {
  const { info, dependencies } = request;
  const options = info.namespace === '' ? {} : { namespace: info.namespace };
  const { items } = await dependencies.registry.list<Pod>('pods', options);
  return (await usagesOf(request, items)).map(podMetricsOf);
}

/** Reads all pods of the namespace: the others may share the pod's load. */
async function metricsOfPod(request: ResourceRequest): Promise<PodMetrics | undefined> {
  return (await metricsOfPods(request)).find(({ metadata }) => metadata.name === request.info.name);
}

async function metricsOfNodes(request: ResourceRequest): Promise<NodeMetrics[]> {
  const { registry, clock } = request.dependencies;
  const [nodes, pods] = await Promise.all([registry.list<Node>('nodes'), registry.list<Pod>('pods')]);
  const usages = await usagesOf(request, pods.items);
  return nodes.items.flatMap((node) => nodeMetricsOf(node, usages, clock.now()));
}

async function metricsOfNode(request: ResourceRequest): Promise<NodeMetrics | undefined> {
  return (await metricsOfNodes(request)).find(({ metadata }) => metadata.name === request.info.name);
}

async function usagesOf(request: ResourceRequest, pods: readonly Pod[]): Promise<readonly PodUsage[]> {
  const { usages, problems } = await metricsOf(request).podUsages(pods, request.dependencies.clock.now());
  request.warnings.push(...problems);
  return usages;
}

function podMetricsOf({ pod, containers, timestampMs }: PodUsage): PodMetrics {
  return { ...measured('PodMetrics', pod, timestampMs), containers };
}

/** Nothing is known of a node with a kubelet: metrics-server would ask that. */
function nodeMetricsOf(node: Node, usages: readonly PodUsage[], nowMs: number): NodeMetrics[] {
  if (!isSimulatedNode(node)) return [];
  const there = usages.filter(({ pod }) => pod.spec?.nodeName === node.metadata.name);
  const usage = totalUsage(there.flatMap(({ containers }) => containers));
  return [{ ...measured('NodeMetrics', node, nowMs), usage }];
}

function measured(kind: string, { metadata }: KubernetesObject, timestampMs: number) {
  const { name, namespace, labels } = metadata;
  const timestamp = formatTime(timestampMs);
  return {
    kind,
    apiVersion: API_VERSION,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      uid: '',
      resourceVersion: '',
      creationTimestamp: timestamp,
      ...(labels && { labels }),
    },
    timestamp,
    window: `${WINDOW_MS / 1_000}s`,
  };
}
