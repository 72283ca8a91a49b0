import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';

/** kube-apiserver compresses only answers that are larger, at the fastest level. */
const GZIP_ABOVE_BYTES = 128 * 1024;
/** The most characters that are encoded together, so that little more than the objects themselves is in memory. */
const CHUNK_CHARACTERS = 64 * 1024;

export interface AnswerBody {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the body of an answer from the pieces of its text. A small one is encoded at once. A large one is a stream: its pieces are taken as fast as the client reads, and
 * compressed if the client accepts gzip.
 */
export function answerBody(acceptEncoding: string | null, pieces: Iterable<string>): AnswerBody {
  const chunks = encodeChunks(pieces);
  const begun: Uint8Array[] = [];
  let bytes = 0;
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    begun.push(next.value);
    bytes += next.value.length;
    if (bytes > GZIP_ABOVE_BYTES) return streamed(acceptEncoding, concat(begun, chunks));
  }
  return { body: new Uint8Array(Buffer.concat(begun)), headers: {} };
}

/** Makes a body of pieces that take time to make. It is never compressed. */
export function streamBody(pieces: AsyncIterable<string>): AnswerBody {
  return { body: toWeb(Readable.from(encodeEach(pieces), { objectMode: true, highWaterMark: 1 })), headers: {} };
}

async function* encodeEach(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

function streamed(acceptEncoding: string | null, chunks: Iterable<Uint8Array>): AnswerBody {
  const source = Readable.from(chunks, { objectMode: true, highWaterMark: 1 });
  if (!acceptsGzip(acceptEncoding)) return { body: toWeb(source), headers: {} };
  // A failure, or a client that leaves, ends both.
  const compressed = pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), () => {});
  return { body: toWeb(compressed), headers: { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } };
}

/** As kube-apiserver reads the header: without weights. */
function acceptsGzip(acceptEncoding: string | null): boolean {
  return (acceptEncoding ?? '').split(',').some((token) => token.trim() === 'gzip');
}

function toWeb(readable: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(readable);
}

/** Yields the first items, then the others. */
export function* concat<T>(first: Iterable<T>, rest: Iterable<T>): Generator<T> {
  yield* first;
  yield* rest;
}

/** The bytes of the pieces, in chunks of a useful size. */
function* encodeChunks(pieces: Iterable<string>): Generator<Uint8Array> {
  let gathered: string[] = [];
  let characters = 0;
  for (const piece of pieces) {
    gathered.push(piece);
    characters += piece.length;
    if (characters < CHUNK_CHARACTERS) continue;
    yield Buffer.from(gathered.join(''));
    gathered = [];
    characters = 0;
  }
  if (characters > 0) yield Buffer.from(gathered.join(''));
}
