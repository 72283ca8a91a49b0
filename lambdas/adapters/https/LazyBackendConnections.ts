import type {
  BackendAnswer,
  BackendConnections,
  BackendRequest,
  KubeletCredentials,
  UpgradedConnection,
} from '../../ports/BackendConnections.ts';
import type { BackendConnectionsOptions, HttpBackendConnections } from './HttpBackendConnections.ts';

interface LazyOptions extends Omit<BackendConnectionsOptions, 'credentials'> {
  /** They may be made with the first connection. */
  readonly credentials?: KubeletCredentials | (() => Promise<KubeletCredentials>) | undefined;
}

/** Connects to kubelets and pods. The clients are loaded with the first connection, since most servers have only simulated pods. */
export class LazyBackendConnections implements BackendConnections {
  readonly #options: LazyOptions;
  #connections: Promise<HttpBackendConnections> | undefined;

  constructor(options: LazyOptions) {
    this.#options = options;
  }

  async send(request: BackendRequest): Promise<BackendAnswer> {
    return await (await this.#load()).send(request);
  }

  async upgrade(request: BackendRequest): Promise<BackendAnswer | UpgradedConnection> {
    return await (await this.#load()).upgrade(request);
  }

  #load(): Promise<HttpBackendConnections> {
    return (this.#connections ??= load(this.#options).catch((error: unknown) => {
      this.#connections = undefined;
      throw error;
    }));
  }
}

async function load({ credentials, ...options }: LazyOptions): Promise<HttpBackendConnections> {
  const { HttpBackendConnections: Connections } = await import('./HttpBackendConnections.ts');
  return new Connections({
    ...options,
    credentials: typeof credentials === 'function' ? await credentials() : credentials,
  });
}
