import { PRELUDE_END } from '../functions/ResponseStream.ts';

/** Status and headers of a streamed answer. */
export interface Prelude {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, string[]>>;
  readonly cookies?: readonly string[];
}

const MAX_PRELUDE_BYTES = 64 * 1024;

/** Splits a streamed answer into its prelude and its body. Chunks may have any boundaries. */
export class PreludeReader {
  #begun = Buffer.alloc(0);
  #prelude: Prelude | undefined;

  get prelude(): Prelude | undefined {
    return this.#prelude;
  }

  /** Returns the bytes of the chunk that belong to the body; none until the prelude is complete. Throws if the answer has no prelude. */
  take(bytes: Uint8Array): Uint8Array {
    if (this.#prelude) return bytes;
    this.#begun = Buffer.concat([this.#begun, bytes]);
    const end = this.#begun.indexOf(PRELUDE_END);
    if (end < 0) {
      if (this.#begun.length > MAX_PRELUDE_BYTES) throw new Error('the streamed answer has no prelude');
      return new Uint8Array();
    }
    this.#prelude = JSON.parse(this.#begun.subarray(0, end).toString()) as Prelude;
    return this.#begun.subarray(end + PRELUDE_END.length);
  }
}
