import { Writable } from 'node:stream';

const STREAMING = Symbol('streaming');
/** What separates the prelude, which is JSON, from the body. */
export const PRELUDE_END = new Uint8Array(8);
export const PRELUDE_CONTENT_TYPE = 'application/vnd.awslambda.http-integration-response';

/** The answer of a streaming function, as the managed runtime hands it to the handler. Each chunk waits until the one before was passed on. */
export class ResponseStream extends Writable {
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  #prelude: Uint8Array | undefined;

  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    super();
    this.#send = send;
  }

  /** Only chooses what the runtime says to Lambda; API Gateway expects the content type of the prelude. */
  setContentType(contentType: string): void {
    this.contentType = contentType;
  }

  contentType = 'application/octet-stream';

  /** Goes out with the first chunk, and not before: an answer without a chunk has no prelude either. */
  setPrelude(prelude: unknown): void {
    this.#prelude = Buffer.concat([Buffer.from(JSON.stringify(prelude)), PRELUDE_END]);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    const bytes = this.#prelude ? Buffer.concat([this.#prelude, chunk]) : chunk;
    this.#prelude = undefined;
    void this.#pass(bytes, done);
  }

  async #pass(bytes: Uint8Array, done: (error?: Error | null) => void): Promise<void> {
    try {
      await this.#send(bytes);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

export function isStreaming(handler: object): boolean {
  return STREAMING in handler;
}

/** The global of Lambda's Node.js runtime by which a handler says that it streams its answer, and what the answer's status and headers are. */
export const awsLambdaGlobal = {
  streamifyResponse: <H extends object>(handler: H): H => Object.assign(handler, { [STREAMING]: true }),
  HttpResponseStream: {
    from(answer: ResponseStream, prelude: unknown): ResponseStream {
      answer.setContentType(PRELUDE_CONTENT_TYPE);
      answer.setPrelude(prelude);
      return answer;
    },
  },
};
