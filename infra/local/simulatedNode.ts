import type { Node } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import { formatMicroTime, formatTime } from '../../lambdas/ports/Clock.ts';
import { serverVersion } from '../../lambdas/rest/serverVersion.ts';

/** Plenty of everything: no simulated pod should stay pending because of another. */
const CAPACITY = {
  cpu: '64',
  'ephemeral-storage': '1073741824Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '268435456Ki',
  pods: '1100',
};

/** What a kubelet says of itself when all is well. */
const CONDITIONS = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

/** The node `driftless-node-N` as its kubelet would register it, Ready. Pure. */
export function simulatedNode(number: number, nowMs: number): NewObject {
  const name = nodeName(number);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: labelsOf(name), annotations: { 'node.alpha.kubernetes.io/ttl': '0' } },
    spec: {
      podCIDR: `10.244.${number}.0/24`,
      podCIDRs: [`10.244.${number}.0/24`],
      providerID: `driftless://${name}`,
    },
    status: statusOf(number, nowMs),
  };
}

/** The lease by which a node shows that it lives. Pure. */
export function simulatedLease(number: number, nowMs: number): NewObject {
  const name = nodeName(number);
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(nowMs) },
  };
}

function nodeName(number: number): string {
  return `driftless-node-${number}`;
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

function statusOf(number: number, nowMs: number): NonNullable<Node['status']> {
  const time = formatTime(nowMs);
  return {
    addresses: [
      { type: 'InternalIP', address: `10.0.0.${number}` },
      { type: 'Hostname', address: nodeName(number) },
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
      bootID: nodeName(number),
      containerRuntimeVersion: 'driftless://simulated',
      kernelVersion: 'simulated',
      kubeProxyVersion: serverVersion.gitVersion,
      kubeletVersion: serverVersion.gitVersion,
      machineID: nodeName(number),
      operatingSystem: 'linux',
      osImage: 'Driftless simulated node',
      systemUUID: nodeName(number),
    },
  };
}
