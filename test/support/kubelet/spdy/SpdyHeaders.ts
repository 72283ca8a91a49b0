import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { spdyDictionary } from './spdyDictionary.ts';

/** The blocks of headers of one SPDY connection. All blocks of one direction are one compressed stream, so they are read and written in their order. */
export class SpdyHeaders {
  readonly #inflate = createInflate({ dictionary: spdyDictionary });
  readonly #deflate = createDeflate({ dictionary: spdyDictionary });

  /** Reads a block: the number of headers, then each name and value after its length. */
  async decode(block: Buffer): Promise<Map<string, string>> {
    const plain = await through(this.#inflate, block);
    const headers = new Map<string, string>();
    let at = 4;
    const next = () => {
      const length = plain.readUInt32BE(at);
      at += 4 + length;
      return plain.subarray(at - length, at).toString();
    };
    for (let count = plain.readUInt32BE(0); count > 0; count -= 1) headers.set(next(), next());
    return headers;
  }

  /** A block without headers: Kubernetes reads none of an answer. */
  async encodeNone(): Promise<Buffer> {
    return await through(this.#deflate, Buffer.alloc(4));
  }
}

/** Passes a block through a compressor or a decompressor, and resolves to what comes out up to its end. */
function through(stream: Deflate | Inflate, block: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer) => chunks.push(chunk);
    stream.on('data', take);
    stream.once('error', reject);
    stream.write(block);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      stream.off('data', take);
      stream.off('error', reject);
      resolve(Buffer.concat(chunks));
    });
  });
}
