import type {
  BackendAnswer,
  BackendConnections,
  BackendRequest,
  KubeletCredentials,
  UpgradedConnection,
} from '../../ports/BackendConnections.ts';
import type { HttpBackendConnections } from './HttpBackendConnections.ts';

/** Connects to kubelets and pods. The clients are loaded with the first connection, since most servers have only simulated pods. */
export class LazyBackendConnections implements BackendConnections {
  readonly #credentials: () => Promise<KubeletCredentials | undefined>;
  #connections: Promise<HttpBackendConnections> | undefined;

  /** Without credentials, no kubelet's certificate is verified. They may be made with the first connection. */
  constructor(credentials?: KubeletCredentials | (() => Promise<KubeletCredentials>)) {
    this.#credentials = typeof credentials === 'function' ? credentials : () => Promise.resolve(credentials);
  }

  async send(request: BackendRequest): Promise<BackendAnswer> {
    return await (await this.#load()).send(request);
  }

  async upgrade(request: BackendRequest): Promise<BackendAnswer | UpgradedConnection> {
    return await (await this.#load()).upgrade(request);
  }

  #load(): Promise<HttpBackendConnections> {
    return (this.#connections ??= load(this.#credentials).catch((error: unknown) => {
      this.#connections = undefined;
      throw error;
    }));
  }
}

async function load(credentials: () => Promise<KubeletCredentials | undefined>): Promise<HttpBackendConnections> {
  const { HttpBackendConnections: Connections } = await import('./HttpBackendConnections.ts');
  return new Connections(await credentials());
}
