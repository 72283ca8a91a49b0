import { setTimeout as wait } from 'node:timers/promises';
import { type ClientAnswer, KubeletClient, type KubeletClientOptions, type WatchedEvent } from './KubeletClient.ts';
import { reflect } from './reflect.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';
const RETRY_MS = 200;

/** One request of a kubelet: method, path, and what it sends. */
type Asked = readonly [method: string, path: string, object?: object];

/** The API server as a kubelet uses it: in protobuf, until it answers, and with a record of every answer that a kubelet does not expect. */
export class KubeletApi {
  /** Aborted when the kubelet ends. */
  readonly signal: AbortSignal;
  /** Requests that were refused with a code that a kubelet does not expect, in words. A test expects none. */
  readonly refusals: string[] = [];
  readonly #client: KubeletClient;

  constructor(options: KubeletClientOptions, signal: AbortSignal) {
    this.#client = new KubeletClient({ ...options, speaks: 'protobuf' });
    this.signal = signal;
  }

  /** Sends a request until the API server answers. Any code but those expected, beside success, is recorded as a refusal. */
  async ask([method, path, object]: Asked, expectedCodes: readonly number[] = []): Promise<ClientAnswer> {
    for (;;) {
      const answer = await this.#answered(method, path, object);
      const { code = 503 } = answer ?? {};
      const isLater = code === 429 || code === 503 || code === 504;
      if (answer && !isLater) return this.#noted(answer, `${method} ${path}`, expectedCodes);
      this.signal.throwIfAborted();
      await wait(RETRY_MS, undefined, { signal: this.signal });
    }
  }

  /** Keeps a collection in sight; resolves when its objects are known. */
  watch(path: string, fieldSelector?: string, on?: (event: WatchedEvent) => void): Promise<void> {
    return reflect({
      client: this.#client,
      path,
      signal: this.signal,
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(on && { on }),
      onFailure: (error) => {
        // A connection that breaks is no answer.
        if (error instanceof Error && !('code' in error)) this.refusals.push(error.message);
      },
    });
  }

  async #answered(method: string, path: string, object?: object): Promise<ClientAnswer | undefined> {
    try {
      return await this.#client.send(method, path, object, method === 'PATCH' ? STRATEGIC : undefined);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return undefined;
      throw error;
    }
  }

  #noted(answer: ClientAnswer, request: string, expectedCodes: readonly number[]): ClientAnswer {
    const { code, body } = answer;
    if (code >= 400 && !expectedCodes.includes(code))
      this.refusals.push(`${request} is answered with ${code}: ${body.message ?? body}`);
    return answer;
  }
}
