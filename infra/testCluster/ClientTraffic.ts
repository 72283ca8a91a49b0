import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { asksToWatch } from '../../lambdas/rest/request/RequestInfo.ts';

/** Requests that move the clock wait for the other clients, so they are no traffic themselves. */
const CONTROLS = '/apis/testing.driftless.dev/';
/** Clients that elect a leader renew their leases all the time, whether they do anything or not. */
const LEASES = '/apis/coordination.k8s.io/';
const READS = new Set(['GET', 'HEAD']);

/** Counts the clients' requests, answers and watch events. `settle` uses it to find out whether clients have become quiet. */
export class ClientTraffic {
  #requests = 0;
  #answers = 0;
  #writes = 0;
  #writeAnswers = 0;
  #watches = 0;
  #watchChunks = 0;
  #lastRequest = '';

  /** Grows with each request, each answer and each chunk of watch events. */
  get activity(): number {
    return this.#requests + this.#answers + this.#watchChunks;
  }

  /** Grows with each request that writes, its answer, and each chunk of watch events, to which clients may react. Leases do not count. */
  get changes(): number {
    return this.#writes + this.#writeAnswers + this.#watchChunks;
  }

  /** The number of requests so far, watches included. */
  get requestCount(): number {
    return this.#requests;
  }

  /** `PATCH /apis/apps/v1/… by kubectl/v1.32.0`; empty if there was no request. */
  get lastRequest(): string {
    return this.#lastRequest;
  }

  get isAnswering(): boolean {
    return this.#requests > this.#answers;
  }

  get isWriting(): boolean {
    return this.#writes > this.#writeAnswers;
  }

  /** True while any client watches and so may react to changes. */
  get isWatched(): boolean {
    return this.#watches > 0;
  }

  intercept(api: ApiHandler): ApiHandler {
    return async (request, environment) => {
      const url = new URL(request.url);
      const { pathname } = url;
      if (pathname.startsWith(CONTROLS)) return await api(request, environment);
      const write = READS.has(request.method) || pathname.startsWith(LEASES) ? 0 : 1;
      this.#requests += 1;
      this.#writes += write;
      this.#lastRequest = `${request.method} ${pathname} by ${request.headers.get('user-agent') ?? 'an unnamed client'}`;
      try {
        const response = await api(request, environment);
        return response.body && asksToWatch(url) ? this.#counted(response, response.body) : response;
      } finally {
        this.#answers += 1;
        this.#writeAnswers += write;
      }
    };
  }

  #counted(response: Response, body: ReadableStream<Uint8Array>): Response {
    this.#watches += 1;
    let isOpen = true;
    const end = () => {
      if (isOpen) this.#watches -= 1;
      isOpen = false;
    };
    const countChunk = () => (this.#watchChunks += 1);
    const reader = body.getReader();
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read();
          if (!done) {
            countChunk();
            return controller.enqueue(value);
          }
          end();
          controller.close();
        },
        async cancel(reason) {
          end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, response);
  }
}
