import { notFound } from '../../objects/apiErrors.ts';
import { formatGoDuration } from '../../objects/go/goDuration.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Measurement } from '../../ports/MetricsClient.ts';
import { type NodeMetrics, nodeMetrics, type PodMetrics } from '../../registry/resources/metrics.ts';
import { parseSelection } from '../list/Selection.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondList, respondObject } from '../response/respond.ts';
import { metricsOf } from './metricsOf.ts';

const API_VERSION = 'metrics.k8s.io/v1beta1';

/** Answers a get or a list of `metrics.k8s.io`, which `kubectl top` asks for: what pods and nodes use. Only such a request reads anything, and asks kubelets. */
export async function serveMetrics(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  const isNodes = resource.entry.groupResource === nodeMetrics.groupResource;
  if (info.isCollection) {
    const matches = parseSelection(request);
    const all = isNodes ? await metricsOfAllNodes(request) : await metricsOfPods(request);
    return respondList(request, all.filter(matches), { resourceVersion: '' });
  }
  const found = isNodes ? await metricsOfNode(request) : await metricsOfPod(request);
  if (found) return respondObject(request, found);
  throw isNodes
    ? notFound('nodemetrics.metrics.k8s.io', info.name)
    : notFound('podmetrics.metrics.k8s.io', `${info.namespace}/${info.name}`);
}

async function metricsOfPods(request: ResourceRequest): Promise<PodMetrics[]> {
  const { info, dependencies, warnings } = request;
  const options = info.namespace === '' ? {} : { namespace: info.namespace };
  const { items } = await dependencies.registry.list<Pod>('pods', options);
  const { usages, problems } = await metricsOf(request).podUsages(items, dependencies.clock.now());
  warnings.push(...problems);
  return usages.map(({ pod, containers, ...when }) => ({ ...measured('PodMetrics', pod, when), containers }));
}

/** Reads all pods of the namespace: the others may share the pod's load. */
async function metricsOfPod(request: ResourceRequest): Promise<PodMetrics | undefined> {
  return (await metricsOfPods(request)).find(({ metadata }) => metadata.name === request.info.name);
}

async function metricsOfNode(request: ResourceRequest): Promise<NodeMetrics | undefined> {
  const { registry } = request.dependencies;
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name: request.info.name });
  return node && (await metricsOfNodes(request, [node]))[0];
}

async function metricsOfAllNodes(request: ResourceRequest): Promise<NodeMetrics[]> {
  return await metricsOfNodes(request, (await request.dependencies.registry.list<Node>('nodes')).items);
}

async function metricsOfNodes(request: ResourceRequest, nodes: readonly Node[]): Promise<NodeMetrics[]> {
  const { registry, clock } = request.dependencies;
  const pods = nodes.some(isSimulatedNode) ? (await registry.list<Pod>('pods')).items : [];
  const { usages, problems } = await metricsOf(request).nodeUsages(nodes, pods, clock.now());
  request.warnings.push(...problems);
  return usages.map(({ node, usage, ...when }) => ({ ...measured('NodeMetrics', node, when), usage }));
}

function measured(kind: string, { metadata }: KubernetesObject, { timestampMs, windowMs }: Measurement) {
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
    window: formatGoDuration(windowMs),
  };
}
