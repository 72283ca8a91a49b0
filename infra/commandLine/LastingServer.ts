import type { ControlPlaneApi } from './ControlPlaneApi.ts';
import type { SendRequest } from '../host/SendRequest.ts';
import { findServer, type FoundServer, type ServerPlace } from './serverPlaces.ts';

const UNAUTHORIZED = 401;
/** The place is looked at again at most so often. */
const PERIOD_MS = 10_000;

/** The way to a server that is used for hours. Its credentials, its address and the kubectl in between may change: when the server does not answer, or does not know the user any more, the kubeconfig is read again. */
export class LastingServer implements ControlPlaneApi {
  readonly #place: ServerPlace;
  readonly #nowMs: () => number;
  #found: FoundServer;
  #api: ControlPlaneApi;
  #renewedAtMs = -Infinity;
  #renewing: Promise<void> | undefined;
  #isClosed = false;

  private constructor(place: ServerPlace, found: FoundServer, api: ControlPlaneApi, nowMs: () => number) {
    this.#place = place;
    this.#found = found;
    this.#api = api;
    this.#nowMs = nowMs;
  }

  /** Throws a UsageError if the place names no server. */
  static async open(place: ServerPlace, nowMs = () => performance.now()): Promise<LastingServer> {
    const found = findServer(place);
    return new LastingServer(place, found, await found.open(), nowMs);
  }

  /** Where the server is now. */
  get found(): FoundServer {
    return this.#found;
  }

  readonly send: SendRequest = async (path, init) => {
    try {
      const response = await this.#api.send(path, init);
      if (response.status === UNAUTHORIZED) this.#renew();
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) this.#renew();
      throw error;
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#renewing;
    await this.#api.close();
  }

  #renew(): void {
    const nowMs = this.#nowMs();
    if (this.#isClosed || this.#renewing || nowMs - this.#renewedAtMs < PERIOD_MS) return;
    this.#renewedAtMs = nowMs;
    this.#renewing = this.#open()
      // The request's own error says more than that the place is still wrong.
      .catch(() => {})
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  async #open(): Promise<void> {
    const found = findServer(this.#place);
    if (!found.context?.needsKubectl && JSON.stringify(found) === JSON.stringify(this.#found)) return;
    const [old, api] = [this.#api, await found.open()];
    this.#found = found;
    this.#api = api;
    await old.close();
  }
}
