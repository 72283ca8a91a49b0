import { badRequest, requestEntityTooLarge } from '../../objects/apiErrors.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';

/** The largest request body, as in apiserver: 3 MiB. Stored objects have a lower limit of their own, which applies after conversion and defaulting. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** Reads the whole body of a request, which its budget keeps. Throws RequestEntityTooLarge for too long a body, as `readRequestBody`. */
export async function readBudgetedBody({
  raw,
  budget,
}: {
  readonly raw: Request;
  readonly budget: RequestBudget;
}): Promise<Uint8Array> {
  const bytes = await readRequestBody(raw);
  budget.keep(bytes.byteLength);
  return bytes;
}

/** Reads the whole body. Throws RequestEntityTooLarge as soon as the limit is passed, without reading the rest. */
export async function readRequestBody(request: Request, maxBytes = MAX_REQUEST_BYTES): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw requestEntityTooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  while (true) {
    const { done, value } = await readChunk(reader);
    if (done) return concatenate(chunks, bytes);
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw requestEntityTooLarge(maxBytes);
    }
    chunks.push(value);
  }
}

/** Reports a body that breaks off as the client's error, not the server's. */
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
