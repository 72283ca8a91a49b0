import type { Node, Taint } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import { simulatedProviderId } from '../../objects/simulatedNodes.ts';
import { formatMicroTime, formatTime } from '../../ports/Clock.ts';
import { serverVersion } from '../../rest/discovery/serverVersion.ts';

/** The properties of a simulated node that can be chosen. */
export interface NodeSpec {
  /** By default `driftless-node-N`, where N is its number. */
  readonly name?: string;
  /** The labels besides those that every kubelet sets. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** True for a node that is cordoned. */
  readonly unschedulable?: boolean;
}

/** More than enough of everything, so that no simulated pod stays pending because of others. */
const CAPACITY = {
  cpu: '64',
  'ephemeral-storage': '1073741824Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '268435456Ki',
  pods: '1100',
};

/** The conditions that a healthy kubelet reports. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** Returns the node as its kubelet would register it, Ready. `number` counts from 1 and is unique. Pure. */
export function simulatedNode(number: number, spec: NodeSpec, nowMs: number): NewObject {
  const name = nodeName(number, spec);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...labelsOf(name), ...spec.labels },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: {
      podCIDR: `10.244.${number}.0/24`,
      podCIDRs: [`10.244.${number}.0/24`],
      providerID: simulatedProviderId(name),
      ...(spec.taints && { taints: spec.taints }),
      ...(spec.unschedulable && { unschedulable: true }),
    },
    status: statusOf(number, name, nowMs),
  };
}

/** Returns the lease by which a node shows that it is alive. Pure. */
export function simulatedLease(number: number, spec: NodeSpec, nowMs: number): NewObject {
  const name = nodeName(number, spec);
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(nowMs) },
  };
}

function nodeName(number: number, { name }: NodeSpec): string {
  return name ?? `driftless-node-${number}`;
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

function statusOf(number: number, name: string, nowMs: number): NonNullable<Node['status']> {
  const time = formatTime(nowMs);
  return {
    addresses: [
      { type: 'InternalIP', address: `10.0.0.${number}` },
      { type: 'Hostname', address: name },
    ],
    allocatable: CAPACITY,
    capacity: CAPACITY,
    conditions: CONDITIONS.map(([type, status, reason, message]) => ({
      type,
      status,
      reason,
      message,
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    })),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: name,
      containerRuntimeVersion: 'driftless://simulated',
      kernelVersion: 'simulated',
      kubeProxyVersion: serverVersion.gitVersion,
      kubeletVersion: serverVersion.gitVersion,
      machineID: name,
      operatingSystem: 'linux',
      osImage: 'Driftless simulated node',
      systemUUID: name,
    },
  };
}
