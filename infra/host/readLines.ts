/**
 * Yields the lines of a text stream as they arrive, without empty ones. Leaving the loop early cancels the stream. The stream is held from the call on: `fetch` cancels the body of an answer that nobody refers to and nobody
 * reads.
 */
export function readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  return linesOf(body.getReader());
}

async function* linesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield line;
    }
  } finally {
    await reader.cancel();
  }
}
