import { setTimeout as wait } from 'node:timers/promises';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { formatMicroTime, formatTime } from '../../../lambdas/ports/Clock.ts';
import { KubeletClient, type KubeletClientOptions } from './KubeletClient.ts';
import { type KubeletCalls, KubeletServer, type KubeletServerOptions } from './KubeletServer.ts';

export interface TestKubeletOptions {
  readonly nodeName: string;
  readonly api: KubeletClientOptions;
  /** What its HTTPS server shows and asks for. Absent: a certificate of its own, and any client may call. */
  readonly serving?: KubeletServerOptions;
  /** How often it renews its lease; milliseconds. Default: 10 s, as a real one. */
  readonly leaseMs?: number;
}

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/**
 * Behaves on the wire like a kubelet: it registers its Node and renews its lease, watches its pods by `spec.nodeName`, reports them as running, ends those that are deleted, and serves
 * logs and streams over HTTPS. It runs nothing.
 */
export class TestKubelet {
  readonly client: KubeletClient;
  readonly server: KubeletServer;
  readonly #options: TestKubeletOptions;
  readonly #stopping = new AbortController();
  readonly #reported = new Set<string>();
  #work: Promise<unknown> = Promise.resolve();

  private constructor(options: TestKubeletOptions, server: KubeletServer) {
    this.#options = options;
    this.client = new KubeletClient(options.api);
    this.server = server;
  }

  /** Starts a kubelet whose node is registered and Ready, and whose pods are watched. */
  static async start(options: TestKubeletOptions): Promise<TestKubelet> {
    const kubelet = new TestKubelet(options, await KubeletServer.start(options.serving));
    await kubelet.#register();
    await kubelet.#renew();
    void kubelet.#keepRenewing();
    const selected = `/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3D${options.nodeName}`;
    const { signal } = kubelet.#stopping;
    void kubelet.client.watch(selected, signal, ({ type, object }) => kubelet.#queue(type, object as Pod));
    return kubelet;
  }

  get nodeName(): string {
    return this.#options.nodeName;
  }

  /** The requests that its HTTPS server has received. */
  get calls(): KubeletCalls {
    return this.server.calls;
  }

  /** Ends as a machine does that loses its power: nothing is said to the API server. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
    await this.server.close();
  }

  async #register(): Promise<void> {
    const { body, code } = await this.client.send('POST', '/api/v1/nodes', this.#node());
    if (code !== 201 && code !== 409) throw new Error(`the node is not registered: ${JSON.stringify(body)}`);
    if (code === 409) await this.#postStatus();
  }

  async #postStatus(): Promise<void> {
    const { status } = this.#node();
    await this.#expect('PATCH', `/api/v1/nodes/${this.nodeName}/status`, { status });
  }

  #node() {
    const time = formatTime(Date.now());
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
    const capacity = { cpu: '2', memory: '4Gi', pods: '110' };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: this.nodeName,
        labels: { 'kubernetes.io/hostname': this.nodeName, 'kubernetes.io/os': 'linux' },
      },
      status: {
        addresses: [
          { type: 'InternalIP', address: '127.0.0.1' },
          { type: 'Hostname', address: this.nodeName },
        ],
        allocatable: capacity,
        capacity,
        conditions: [{ ...ready, lastHeartbeatTime: time, lastTransitionTime: time }],
        daemonEndpoints: { kubeletEndpoint: { Port: this.server.port } },
        nodeInfo: { kubeletVersion: 'v1.31.0', containerRuntimeVersion: 'containerd://1.7.0', osImage: 'test' },
      },
    };
  }

  async #renew(): Promise<void> {
    const spec = {
      holderIdentity: this.nodeName,
      leaseDurationSeconds: 40,
      renewTime: formatMicroTime(Date.now()),
    };
    const found = await this.client.send('GET', `${LEASES}/${this.nodeName}`);
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: this.nodeName }, spec };
    if (found.code === 404) await this.#expect('POST', LEASES, lease);
    else await this.#expect('PUT', `${LEASES}/${this.nodeName}`, { ...found.body, spec });
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      await wait(this.#options.leaseMs ?? 10_000, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#renew().catch(() => {});
    }
  }

  /** Handles the events one after the other, as a kubelet's pod worker does for one pod. */
  #queue(type: string, pod: Pod): void {
    this.#work = this.#work.then(() => this.#handle(type, pod)).catch(() => {});
  }

  async #handle(type: string, pod: Pod): Promise<void> {
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    const { namespace = '', name, uid } = pod.metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    if (pod.metadata.deletionTimestamp !== undefined) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      await this.client.send('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options });
      return;
    }
    if (this.#reported.has(uid)) return;
    this.#reported.add(uid);
    const patch = { metadata: { uid }, status: runningStatus(pod) };
    await this.#expect('PATCH', `${path}/status`, patch);
  }

  async #expect(method: string, path: string, object: object): Promise<void> {
    const contentType = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const { code, body } = await this.client.send(method, path, object, contentType);
    if (code >= 300) throw new Error(`${method} ${path} is answered with ${code}: ${JSON.stringify(body)}`);
  }
}

/** The status of a pod whose containers run. */
function runningStatus(pod: Pod) {
  const time = formatTime(Date.now());
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: time });
  return {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    hostIP: '127.0.0.1',
    podIP: '127.0.0.1',
    startTime: time,
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      containerID: `containerd://${pod.metadata.uid}-${name}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: time } },
      lastState: {},
    })),
  };
}
