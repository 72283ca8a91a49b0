import type { ReceivedMessage } from '../../ports/WorkQueue.ts';
import type { KeyMessages, WaitingMessage } from './KeyMessages.ts';
import { MinHeap } from './MinHeap.ts';

interface Place {
  readonly message: WaitingMessage;
  readonly visibleAtMs: number;
  readonly sequence: number;
}

/** One controller's part of the queue: its messages in the order in which they become visible, and its waiting workers. */
export class QueueLane {
  readonly #places = new MinHeap<Place>((a, b) =>
    a.visibleAtMs === b.visibleAtMs ? a.sequence < b.sequence : a.visibleAtMs < b.visibleAtMs,
  );
  readonly #workers = new Set<(message: ReceivedMessage | undefined) => void>();
  #sequence = 0;

  get isAwaited(): boolean {
    return this.#workers.size > 0;
  }

  /** Sorts a message in by its `visibleAtMs`. An earlier place of the message becomes stale and is skipped later. */
  place(message: WaitingMessage): void {
    this.#sequence += 1;
    this.#places.push({ message, visibleAtMs: message.visibleAtMs, sequence: this.#sequence });
  }

  /** Adds a waiting worker. `hand` gets its message, or `undefined` when `signal` is aborted. */
  wait(hand: (message: ReceivedMessage | undefined) => void, signal: AbortSignal): void {
    const leave = () => {
      this.#workers.delete(take);
      hand(undefined);
    };
    const take = (message: ReceivedMessage | undefined) => {
      signal.removeEventListener('abort', leave);
      hand(message);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#workers.add(take);
  }

  /** Returns when the next message can be delivered. A message does not count while a worker has another one of its key. */
  nextVisibleAtMs(): number | undefined {
    for (let top = this.#places.peek(); top; top = this.#places.peek()) {
      const { message, visibleAtMs } = top;
      const isStale = !message.waits || message.visibleAtMs !== visibleAtMs;
      if (!isStale && message.messages.receipt === undefined) return visibleAtMs;
      this.#places.pop();
      if (!isStale) message.messages.passedOver.push(message);
    }
    return undefined;
  }

  /** Gives visible messages to waiting workers in the order in which the workers came. `deliver` returns `undefined` for a message that becomes a dead letter. */
  serve(nowMs: number, deliver: (messages: KeyMessages) => ReceivedMessage | undefined): void {
    // Most lanes are empty at most times.
    if (this.#places.peek() === undefined) return;
    for (const worker of this.#workers) {
      const message = this.#next(nowMs, deliver);
      if (!message) return;
      this.#workers.delete(worker);
      worker(message);
    }
  }

  #next(nowMs: number, deliver: (messages: KeyMessages) => ReceivedMessage | undefined): ReceivedMessage | undefined {
    while ((this.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) <= nowMs) {
      const message = deliver((this.#places.pop() as Place).message.messages);
      if (message) return message;
    }
    return undefined;
  }
}
