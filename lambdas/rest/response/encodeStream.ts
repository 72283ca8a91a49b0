/**
 * Encodes the items of a generator as a stream of bytes. It takes the next item only when the reader wants more, so a slow client slows down only its own
 * watch, and nothing piles up in memory. When the reader cancels, it calls `abort` and ends the generator.
 */
export function encodeStream<T>(
  items: AsyncGenerator<T, void, undefined>,
  encode: (item: T) => Uint8Array,
  abort: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await items.next();
        if (next.done) controller.close();
        else controller.enqueue(encode(next.value));
      },
      async cancel() {
        abort();
        await items.return();
      },
    },
    { highWaterMark: 0 },
  );
}
