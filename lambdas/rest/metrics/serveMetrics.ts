import { notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import { type NodeMetrics, nodeMetrics, type PodMetrics } from '../../registry/resources/metrics.ts';
import { parseSelection } from '../list/Selection.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondList, respondObject } from '../response/respond.ts';
import { podUsage, totalUsage } from './simulatedUsage.ts';

const API_VERSION = 'metrics.k8s.io/v1beta1';
/** The time over which metrics-server measures. */
const WINDOW = '15s';

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

async function metricsOfPods({ info, dependencies: { registry, clock } }: ResourceRequest): Promise<PodMetrics[]> {
  const { items } = await registry.list<Pod>('pods', info.namespace === '' ? {} : { namespace: info.namespace });
  return items.flatMap((pod) => podMetricsOf(pod, clock.now()));
}

async function metricsOfPod({ info, dependencies }: ResourceRequest): Promise<PodMetrics | undefined> {
  const { registry, clock } = dependencies;
  const pod = await registry.get<Pod>({ resource: 'pods', namespace: info.namespace, name: info.name });
  return pod && podMetricsOf(pod, clock.now())[0];
}

async function metricsOfNodes({ dependencies: { registry, clock } }: ResourceRequest): Promise<NodeMetrics[]> {
  const [nodes, pods] = await Promise.all([registry.list<Node>('nodes'), registry.list<Pod>('pods')]);
  return nodes.items.map((node) => nodeMetricsOf(node, pods.items, clock.now()));
}

async function metricsOfNode({ info, dependencies }: ResourceRequest): Promise<NodeMetrics | undefined> {
  const { registry, clock } = dependencies;
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name: info.name });
  if (!node) return undefined;
  const { items } = await registry.list<Pod>('pods');
  return nodeMetricsOf(node, items, clock.now());
}

/** A pod of which nothing runs has no metrics. */
function podMetricsOf(pod: Pod, nowMs: number): PodMetrics[] {
  const containers = podUsage(pod);
  return containers === undefined ? [] : [{ ...measured('PodMetrics', pod, nowMs), containers }];
}

function nodeMetricsOf(node: Node, pods: readonly Pod[], nowMs: number): NodeMetrics {
  const there = pods.filter(({ spec }) => spec?.nodeName === node.metadata.name);
  const usage = totalUsage(there.flatMap((pod) => podUsage(pod) ?? []));
  return { ...measured('NodeMetrics', node, nowMs), usage };
}

function measured(kind: string, { metadata }: KubernetesObject, nowMs: number) {
  const { name, namespace, labels } = metadata;
  const timestamp = formatTime(nowMs);
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
    window: WINDOW,
  };
}
