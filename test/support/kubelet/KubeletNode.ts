import { setTimeout as wait } from 'node:timers/promises';
import { formatMicroTime, formatTime } from '../../../lambdas/ports/Clock.ts';
import type { KubeletApi } from './KubeletApi.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';

export interface KubeletNodeOptions {
  readonly name: string;
  /** The port of the kubelet's HTTPS server. */
  readonly port: number;
  /** How often the lease is renewed; milliseconds. */
  readonly leaseMs: number;
}

/** A kubelet's objects about its machine: the Node with its status, the CSINode, and the lease that says that it is alive. */
export class KubeletNode {
  readonly #api: KubeletApi;
  readonly #options: KubeletNodeOptions;
  #uid = '';
  #lease: { readonly metadata: object; readonly spec: object } | undefined;

  constructor(api: KubeletApi, options: KubeletNodeOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** Registers the machine, or finds it registered already, and reports it as ready. */
  async register(): Promise<void> {
    const node = this.#node();
    const created = await this.#api.ask(['POST', '/api/v1/nodes', node], [409]);
    const { body } =
      created.code === 409 ? await this.#api.ask(['GET', `/api/v1/nodes/${node.metadata.name}`]) : created;
    this.#uid = body.metadata.uid;
    await this.postStatus();
    await this.#createCsiNode();
    await this.#renew();
    void this.#keepRenewing();
  }

  /** Reads the node from the API server's cache, and patches its status, as a kubelet does every ten seconds at the most. */
  async postStatus(): Promise<void> {
    const { name } = this.#options;
    await this.#api.ask(['GET', `/api/v1/nodes/${name}?resourceVersion=0`]);
    const { conditions, addresses } = this.#node().status;
    const order = { '$setElementOrder/conditions': conditions.map(({ type }) => ({ type })) };
    const status = { ...order, conditions, addresses };
    await this.#api.ask(['PATCH', `/api/v1/nodes/${name}/status`, { status }]);
  }

  async #createCsiNode(): Promise<void> {
    const { name } = this.#options;
    const { code } = await this.#api.ask(['GET', `${CSI_NODES}/${name}`], [404]);
    if (code !== 404) return;
    const csiNode = {
      ...ofKind('storage.k8s.io/v1', 'CSINode'),
      metadata: this.#ownedMetadata(),
      spec: { drivers: [] },
    };
    await this.#api.ask(['POST', CSI_NODES, csiNode]);
  }

  /** Writes the lease over what was answered last. A conflict makes a kubelet read it again. */
  async #renew(): Promise<void> {
    const { name } = this.#options;
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(Date.now()) };
    const kind = ofKind('coordination.k8s.io/v1', 'Lease');
    if (!this.#lease) {
      const found = await this.#api.ask(['GET', `${LEASES}/${name}`], [404]);
      if (found.code !== 404) this.#lease = found.body;
    }
    const written = this.#lease
      ? await this.#api.ask(['PUT', `${LEASES}/${name}`, { ...this.#lease, ...kind, spec }], [404, 409])
      : await this.#api.ask(['POST', LEASES, { ...kind, metadata: this.#ownedMetadata(), spec }], [409]);
    this.#lease = written.code < 300 ? written.body : undefined;
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#api;
    while (!signal.aborted) {
      await wait(this.#options.leaseMs, undefined, { signal })
        .then(() => this.#renew())
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    }
  }

  #ownedMetadata() {
    const { name } = this.#options;
    return { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: this.#uid }] };
  }

  #node() {
    const { name, port } = this.#options;
    const capacity = { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '20Gi' };
    return {
      ...ofKind('v1', 'Node'),
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'beta.kubernetes.io/os': 'linux',
          'beta.kubernetes.io/arch': 'amd64',
        },
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
      },
      status: {
        addresses: [
          { type: 'InternalIP', address: '127.0.0.1' },
          { type: 'Hostname', address: name },
        ],
        allocatable: capacity,
        capacity,
        conditions: nodeConditions(formatTime(Date.now())),
        daemonEndpoints: { kubeletEndpoint: { Port: port } },
        nodeInfo: {
          machineID: 'f00d',
          systemUUID: 'f00d',
          bootID: 'f00d',
          architecture: 'amd64',
          kernelVersion: '6.1.0',
          kubeletVersion: 'v1.31.0',
          kubeProxyVersion: '',
          containerRuntimeVersion: 'containerd://1.7.0',
          operatingSystem: 'linux',
          osImage: 'test',
        },
        images: [{ names: ['docker.io/library/busybox:1'], sizeBytes: 2_166_802 }],
      },
    };
  }
}

/** A node's conditions in a kubelet's words, of a machine that lacks nothing. */
function nodeConditions(time: string) {
  const times = { lastHeartbeatTime: time, lastTransitionTime: time };
  const pressure = (type: string, reason: string, message: string) => ({
    type,
    status: 'False',
    reason,
    message,
    ...times,
  });
  return [
    pressure('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
    pressure('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    pressure('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      ...times,
    },
  ];
}

function ofKind(apiVersion: string, kind: string) {
  return { apiVersion, kind };
}
