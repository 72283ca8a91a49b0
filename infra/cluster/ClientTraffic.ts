import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';

/** Counts the clients' requests, answers and watch events. `settle` uses it to find out whether clients have become quiet. */
export class ClientTraffic {
  #requests = 0;
  #answers = 0;
  #watches = 0;
  #watchChunks = 0;

  /** Grows with each request, each answer and each chunk of watch events. */
  get activity(): number {
    return this.#requests + this.#answers + this.#watchChunks;
  }

  get isAnswering(): boolean {
    return this.#requests > this.#answers;
  }

  /** True while any client watches and so may react to changes. */
  get isWatched(): boolean {
    return this.#watches > 0;
  }

  intercept(api: ApiHandler): ApiHandler {
    return async (request, environment) => {
      this.#requests += 1;
      try {
        const response = await api(request, environment);
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
