/**
 * Turns what `items` yields into a stream of bytes. An item is asked for only when the reader wants more, so that a slow client holds back its own
 * watch and nothing piles up; `abort` is called, and the generator ended, when the reader goes away.
 */
export function encodeJsonStream<T>(
  items: AsyncGenerator<T, void, undefined>,
  encode: (item: T) => string,
  abort: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await items.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(encode(next.value)));
      },
      async cancel() {
        abort();
        await items.return();
      },
    },
    { highWaterMark: 0 },
  );
}
