import { badRequest, requestEntityTooLarge } from '../../objects/apiErrors.ts';

/** apiserver's own ceiling of a request: 3 MiB. What is stored has a lower one of its own, after conversion and defaults. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** The whole body, or RequestEntityTooLarge as soon as it is longer than allowed, without reading on. */
export async function readRequestBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_REQUEST_BYTES)
    throw requestEntityTooLarge(MAX_REQUEST_BYTES);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  while (true) {
    const { done, value } = await readChunk(reader);
    if (done) return concatenate(chunks, bytes);
    bytes += value.byteLength;
    if (bytes > MAX_REQUEST_BYTES) {
      await reader.cancel();
      throw requestEntityTooLarge(MAX_REQUEST_BYTES);
    }
    chunks.push(value);
  }
}

/** A body that breaks off is the client's doing, not the server's. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read();
  } catch {
    throw badRequest('unexpected EOF');
  }
}

function concatenate(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
