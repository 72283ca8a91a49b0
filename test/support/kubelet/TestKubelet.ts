import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { KubeletApi } from './KubeletApi.ts';
import { KubeletClient, type KubeletClientOptions } from './KubeletClient.ts';
import { KubeletNode } from './KubeletNode.ts';
import { type KubeletCalls, KubeletServer, type KubeletServerOptions } from './KubeletServer.ts';
import { PodWorkers } from './PodWorkers.ts';

export interface TestKubeletOptions {
  readonly nodeName: string;
  readonly api: KubeletClientOptions;
  /** What its HTTPS server shows and asks for. Absent: a certificate of its own, and any client may call. */
  readonly serving?: KubeletServerOptions;
  /** How often it renews its lease; milliseconds. Default: 10 s, as a real one. */
  readonly leaseMs?: number;
}

/** The collections that every kubelet keeps in sight, beside its node and its pods. */
const INFORMERS = ['/api/v1/services', '/apis/storage.k8s.io/v1/csidrivers', '/apis/node.k8s.io/v1/runtimeclasses'];

/**
 * Behaves on the wire like a kubelet: it writes protobuf, registers its Node and CSINode and renews its lease, watches its pods and what they use, reports them as running, ends those that are deleted, and serves
 * logs and streams over HTTPS. It runs nothing. It goes on when the API server is away, and when it comes back.
 */
export class TestKubelet {
  /** A client with the kubelet's identity, for requests of the test. */
  readonly client: KubeletClient;
  readonly server: KubeletServer;
  readonly nodeName: string;
  readonly pods: PodWorkers;
  readonly #api: KubeletApi;
  readonly #stopping = new AbortController();

  private constructor({ nodeName, api }: TestKubeletOptions, server: KubeletServer) {
    this.nodeName = nodeName;
    this.client = new KubeletClient(api);
    this.server = server;
    this.#api = new KubeletApi(api, this.#stopping.signal);
    this.pods = new PodWorkers(this.#api, nodeName);
  }

  /** Starts a kubelet whose node is registered and Ready, and whose pods are watched. */
  static async start(options: TestKubeletOptions): Promise<TestKubelet> {
    const kubelet = new TestKubelet(options, await KubeletServer.start(options.serving));
    const { nodeName: name, leaseMs = 10_000 } = options;
    await new KubeletNode(kubelet.#api, { name, port: kubelet.server.port, leaseMs }).register();
    await kubelet.#watch();
    return kubelet;
  }

  /** The requests that its HTTPS server has received. */
  get calls(): KubeletCalls {
    return this.server.calls;
  }

  /** Its own requests that the API server refused, although it answers a real kubelet's. */
  get refusals(): readonly string[] {
    return this.#api.refusals;
  }

  /** Ends as a machine does that loses its power: nothing is said to the API server. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.pods.idle();
    await this.server.close();
  }

  async #watch(): Promise<void> {
    await Promise.all([
      ...INFORMERS.map((path) => this.#api.watch(path)),
      this.#api.watch('/api/v1/nodes', `metadata.name=${this.nodeName}`),
      this.#api.watch('/api/v1/pods', `spec.nodeName=${this.nodeName}`, ({ type, object }) =>
        this.pods.take(type, object as Pod),
      ),
    ]);
  }
}
