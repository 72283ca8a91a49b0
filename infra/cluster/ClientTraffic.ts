import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';

/** What clients ask of a cluster, counted, so that who waits for it to settle knows whether they are done. */
export class ClientTraffic {
  #requests = 0;
  #answers = 0;
  #watches = 0;
  #toldTimes = 0;

  /** Grows with each request that comes, each that is answered, and each time that a watching client is told of something. */
  get activity(): number {
    return this.#requests + this.#answers + this.#toldTimes;
  }

  get isAnswering(): boolean {
    return this.#requests > this.#answers;
  }

  /** Clients that are told of changes, and may react. */
  get isWatched(): boolean {
    return this.#watches > 0;
  }

  intercept(api: ApiHandler): ApiHandler {
    return async (request) => {
      this.#requests += 1;
      try {
        const response = await api(request);
        return response.body && /[?&]watch=/.test(request.url) ? this.#counted(response, response.body) : response;
      } finally {
        this.#answers += 1;
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
    const told = () => (this.#toldTimes += 1);
    const reader = body.getReader();
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read();
          if (!done) {
            told();
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
