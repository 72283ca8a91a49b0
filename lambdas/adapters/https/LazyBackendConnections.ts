import type {
  BackendAnswer,
  BackendConnections,
  BackendRequest,
  UpgradedConnection,
} from '../../ports/BackendConnections.ts';
import type { HttpBackendConnections, KubeletCredentials } from './HttpBackendConnections.ts';

/** Connects to kubelets and pods. The clients are loaded with the first connection, since most servers have only simulated pods. */
export class LazyBackendConnections implements BackendConnections {
  readonly #credentials: KubeletCredentials | undefined;
  #connections: Promise<HttpBackendConnections> | undefined;

  /** Without credentials, no kubelet's certificate is verified. */
  constructor(credentials?: KubeletCredentials) {
    this.#credentials = credentials;
  }

  async send(request: BackendRequest): Promise<BackendAnswer> {
    return await (await this.#load()).send(request);
  }

  async upgrade(request: BackendRequest): Promise<BackendAnswer | UpgradedConnection> {
    return await (await this.#load()).upgrade(request);
  }

  #load(): Promise<HttpBackendConnections> {
    return (this.#connections ??= load(this.#credentials));
  }
}

async function load(credentials: KubeletCredentials | undefined): Promise<HttpBackendConnections> {
  const { HttpBackendConnections: Connections } = await import('./HttpBackendConnections.ts');
  return new Connections(credentials);
}
