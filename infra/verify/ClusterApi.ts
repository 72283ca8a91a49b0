import { readLines } from '../host/readLines.ts';
import type { SendRequest } from '../host/SendRequest.ts';
import type { RunClock } from './RunClock.ts';

const TOO_MANY_REQUESTS = 429;
/** In a new account four watches can be open. One that a client has left takes its place for 80 seconds more. */
const BUSY_PATIENCE_MS = 120_000;

/** The API has refused a request. */
export class ApiFailure extends Error {
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(`the API answers ${status}: ${message}`);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

/** The part of an object that the steps look at. */
export interface SeenObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface SeenList {
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly SeenObject[];
}

export interface SeenEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: SeenObject;
}

interface WatchOptions {
  readonly resourceVersion?: string;
  /** After so long the server ends the watch. Absent: as long as the server wants. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/** The API of the control plane, through the credentials of a kubeconfig's context. Paths begin with `/api`; each method throws an ApiFailure if it is refused. */
export class ClusterApi {
  readonly #send: SendRequest;
  readonly #clock: RunClock;

  constructor(send: SendRequest, clock: RunClock) {
    this.#send = send;
    this.#clock = clock;
  }

  async get<T = SeenObject>(path: string): Promise<T> {
    return (await (await this.#ask(path)).json()) as T;
  }

  async text(path: string): Promise<string> {
    return await (await this.#ask(path)).text();
  }

  async post<T = SeenObject>(path: string, object: object): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    return (await (await this.#ask(path, { method: 'POST', headers, body: JSON.stringify(object) })).json()) as T;
  }

  async patch(path: string, change: object): Promise<SeenObject> {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const answer = await this.#ask(path, { method: 'PATCH', headers, body: JSON.stringify(change) });
    return (await answer.json()) as SeenObject;
  }

  /** Does nothing if there is no such object. */
  async delete(path: string): Promise<void> {
    try {
      await (await this.#ask(path, { method: 'DELETE' })).text();
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 404)) throw error;
    }
  }

  /** The HTTP status of a request, whatever it is. */
  async statusOf(path: string): Promise<number> {
    const answer = await this.#send(path);
    await answer.text();
    return answer.status;
  }

  /** The events of a collection, until the server ends the watch or the signal does. */
  async *watch(path: string, { resourceVersion, timeoutSeconds, signal }: WatchOptions): AsyncGenerator<SeenEvent> {
    const options = new URLSearchParams({
      watch: 'true',
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(timeoutSeconds !== undefined && { timeoutSeconds: String(timeoutSeconds) }),
    });
    const answer = await this.#ask(
      `${path}${path.includes('?') ? '&' : '?'}${options.toString()}`,
      signal ? { signal } : {},
    );
    if (!answer.body) return;
    for await (const line of readLines(answer.body)) yield JSON.parse(line) as SeenEvent;
  }

  /** Sends it again while the server has too much to do, as every client of Kubernetes does. */
  async #ask(path: string, init?: RequestInit): Promise<Response> {
    const untilMs = this.#clock.now() + BUSY_PATIENCE_MS;
    for (;;) {
      const answer = await this.#send(path, init);
      if (answer.ok) return answer;
      const message = messageOf(await answer.text());
      if (answer.status !== TOO_MANY_REQUESTS || this.#clock.now() >= untilMs) {
        throw new ApiFailure(answer.status, message);
      }
      await this.#clock.sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    }
  }
}

/** The message of a Status, or the beginning of what API Gateway answers instead. */
function messageOf(body: string): string {
  try {
    return (JSON.parse(body) as { readonly message?: string }).message ?? body.slice(0, 200);
  } catch {
    return body.slice(0, 200);
  }
}
