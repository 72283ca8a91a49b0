import type { ClusterMirror } from './ClusterMirror.ts';
import type { PageTopic } from './PageTopic.ts';
import { PendingChanges } from './PendingChanges.ts';

/** What changes within such a time is sent at once. */
const BATCH_MS = 40;
/** A virtual clock is looked at so often. */
const CLOCK_MS = 250;
/** A line is written at least so often, so that both ends notice a broken connection. */
const HEARTBEAT_MS = 15_000;

/** The messages of a topic as lines of JSON: everything first, and then what changes. Ends with the signal, or when the page goes. */
export function streamTopic(
  mirror: ClusterMirror,
  topic: PageTopic,
  { isVirtual, signal }: { readonly isVirtual: boolean; readonly signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop = () => {};
  return new ReadableStream({
    start(controller) {
      if (signal.aborted) return controller.close();
      const changes = new PendingChanges(mirror, topic, isVirtual);
      let timer: NodeJS.Timeout | undefined;
      const flush = () => {
        timer = undefined;
        // A page that reads slowly gets fewer and larger messages.
        if ((controller.desiredSize ?? 0) <= 0) timer = setTimeout(flush, BATCH_MS);
        else for (const message of changes.take()) controller.enqueue(encoder.encode(`${JSON.stringify(message)}\n`));
      };
      const soon = () => (timer ??= setTimeout(flush, BATCH_MS));
      const follow = (watch: PageTopic['watches'][number]) =>
        watch.follow((object) => {
          changes.add(object);
          soon();
        });
      const leave = topic.watches.map(follow);
      const beat = setInterval(() => {
        changes.beat();
        soon();
      }, HEARTBEAT_MS);
      const look = () => {
        if (changes.beatIfMoved()) soon();
      };
      // A virtual clock moves without an event where nothing is due.
      const clock = isVirtual ? setInterval(look, CLOCK_MS) : undefined;
      stop = () => {
        clearTimeout(timer);
        clearInterval(clock);
        clearInterval(beat);
        for (const one of leave.splice(0)) one();
        signal.removeEventListener('abort', end);
      };
      const end = () => {
        stop();
        controller.close();
      };
      signal.addEventListener('abort', end);
      soon();
    },
    cancel: () => stop(),
  });
}
