import type { Node, Taint } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import { BOUNDLESS, formatBoundless } from '../../objects/nodes/boundlessResources.ts';
import { POD_NETWORK, simulatedNodeAddress } from '../../objects/simulated/simulatedAddresses.ts';
import { healthyConditions, simulatedProviderId } from '../../objects/simulated/simulatedNodes.ts';
import { nodeLease } from '../../controllers/nodelease/decideRenewals.ts';
import { BOUNDLESS_PODS } from '../../controllers/scheduler/choosePlainNode.ts';
import { formatTime } from '../../ports/Clock.ts';
import { type KubernetesRelease, NEWEST_RELEASE } from '../../objects/KubernetesRelease.ts';
import { serverVersion } from '../../rest/discovery/serverVersion.ts';

/** The properties of a simulated node that can be chosen. */
export interface NodeSpec {
  /** By default `driftless-node-N`, where N is its number. */
  readonly name?: string;
  /** The labels besides those that every kubelet sets. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** What the node has for all its pods together, instead of the default for each of them: `{ cpu: '4', pods: '110', 'example.com/gpu': '2' }`. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** True for a node that is cordoned. */
  readonly unschedulable?: boolean;
  /** The images that the node has from the start, for containers whose image is never pulled. */
  readonly images?: readonly string[];
}

/** As much as the largest machines have, so that a pod that asks for more by mistake does not run. The number of pods is more than any control plane holds: see BOUNDLESS_PODS. */
const CAPACITY = {
  cpu: '896',
  'ephemeral-storage': '68719476736Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '34359738368Ki',
  pods: `${BOUNDLESS_PODS}`,
};

/** Of these any number of pods have as much as they ask for, unless a capacity is chosen: then it is for all pods together. */
const WITHOUT_BOUND = ['cpu', 'memory', 'ephemeral-storage'] as const;

/** Returns the node as the kubelet of this release would register it, Ready. `number` counts from 1 and is unique. Pure. */
export function simulatedNode(
  number: number,
  spec: NodeSpec,
  nowMs: number,
  release: KubernetesRelease = NEWEST_RELEASE,
): NewObject {
  const name = nodeName(number, spec);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...labelsOf(name), ...spec.labels },
      annotations: annotationsOf(spec),
    },
    spec: {
      podCIDR: POD_NETWORK,
      podCIDRs: [POD_NETWORK],
      providerID: simulatedProviderId(name),
      ...(spec.taints && { taints: spec.taints }),
      ...(spec.unschedulable && { unschedulable: true }),
    },
    status: {
      ...statusOf(number, name, { ...CAPACITY, ...spec.capacity }, nowMs, serverVersion(release).gitVersion),
      ...(spec.images && { images: spec.images.map((image) => ({ names: [image] })) }),
    },
  };
}

/** Returns the lease by which a node shows that it is alive. Pure. */
export function simulatedLease(number: number, spec: NodeSpec, nowMs: number): NewObject {
  return nodeLease(nodeName(number, spec), nowMs);
}

function nodeName(number: number, { name }: NodeSpec): string {
  return name ?? `driftless-node-${number}`;
}

function annotationsOf({ capacity = {} }: NodeSpec): Record<string, string> {
  const boundless = WITHOUT_BOUND.filter((name) => capacity[name] === undefined);
  const amounts = Object.fromEntries(boundless.map((name) => [name, CAPACITY[name]]));
  return {
    'node.alpha.kubernetes.io/ttl': '0',
    ...(boundless.length > 0 && { [BOUNDLESS]: formatBoundless(amounts) }),
  };
}

function labelsOf(name: string): Record<string, string> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
}

function statusOf(
  number: number,
  name: string,
  capacity: Record<string, string>,
  nowMs: number,
  version: string,
): NonNullable<Node['status']> {
  const time = formatTime(nowMs);
  return {
    addresses: [
      { type: 'InternalIP', address: simulatedNodeAddress(number) },
      { type: 'Hostname', address: name },
    ],
    allocatable: capacity,
    capacity,
    conditions: [...healthyConditions(time)],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: name,
      containerRuntimeVersion: 'driftless://simulated',
      kernelVersion: 'simulated',
      kubeProxyVersion: version,
      kubeletVersion: version,
      machineID: name,
      operatingSystem: 'linux',
      osImage: 'Driftless simulated node',
      systemUUID: name,
    },
  };
}
