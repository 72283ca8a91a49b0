import { Writable } from 'node:stream';
import type { LambdaStreaming, ResponsePrelude } from '../../lambdas/functions/api/streamResponse.ts';

/** The output of a streaming function, split as API Gateway does it: the prelude, eight zero bytes, the body. */
export class LambdaStream extends Writable {
  readonly #chunks: Buffer[] = [];
  #prelude: ResponsePrelude | undefined;
  #waiters: (() => void)[] = [];

  /** Sent with the first write, as in Lambda's runtime. */
  setPrelude(prelude: ResponsePrelude): void {
    this.#prelude = prelude;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#prelude) this.#chunks.push(Buffer.from(JSON.stringify(this.#prelude)), Buffer.alloc(8));
    this.#prelude = undefined;
    this.#chunks.push(chunk);
    for (const wake of this.#waiters.splice(0)) wake();
    done();
  }

  /** The output so far; `undefined` before the prelude. */
  answer(): { readonly prelude: ResponsePrelude; readonly body: string } | undefined {
    const bytes = Buffer.concat(this.#chunks);
    const end = bytes.indexOf(Buffer.alloc(8));
    if (end < 0) return undefined;
    const prelude = JSON.parse(bytes.subarray(0, end).toString()) as ResponsePrelude;
    return { prelude, body: bytes.subarray(end + 8).toString() };
  }

  /** Resolves when the body so far matches. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.answer()?.body ?? '')) await new Promise<void>((wake) => this.#waiters.push(wake));
  }
}

/** The global object of Lambda's runtime, for handlers that are called with a LambdaStream. */
export const lambdaStreaming: LambdaStreaming<LambdaStream> = {
  HttpResponseStream: {
    from(stream, prelude) {
      stream.setPrelude(prelude);
      return stream;
    },
  },
  streamifyResponse: (handler) => handler,
};
