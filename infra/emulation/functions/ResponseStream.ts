import { Writable } from 'node:stream';

const STREAMING = Symbol('streaming');
/** Separates the prelude, which is JSON, from the body. */
export const PRELUDE_END = new Uint8Array(8);
const PRELUDE_CONTENT_TYPE = 'application/vnd.awslambda.http-integration-response';

/** The stream that Lambda's runtime gives to a streaming handler for its answer. Each chunk waits until the previous one has been passed on. */
export class ResponseStream extends Writable {
  readonly #send: (bytes: Uint8Array) => Promise<void>;
  #prelude: Uint8Array | undefined;

  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    super();
    this.#send = send;
  }

  /** Sets the content type of the invocation's answer; API Gateway expects that of an answer with a prelude. */
  setContentType(contentType: string): void {
    this.contentType = contentType;
  }

  contentType = 'application/octet-stream';

  /** The prelude is sent with the first chunk, so an answer without chunks has no prelude. */
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

/** The global `awslambda` of Lambda's Node.js runtime. With it, a handler streams its answer and sets the answer's status and headers. */
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
