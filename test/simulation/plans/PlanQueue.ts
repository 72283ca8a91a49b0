import { encodeWorkKey, type WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../../lambdas/ports/WorkQueue.ts';

const VISIBILITY_TIMEOUT_MS = 90_000;

interface Message {
  readonly key: WorkKey;
  readonly dueAtMs: number;
  visibleAtMs: number;
  receiveCount: number;
}

/** A queue that hands out one message at a time, the one that became visible first. Messages of one key that are due at the same time are one. */
export class PlanQueue implements WorkQueue {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #messages = new Map<string, Message>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async send(keys: readonly KeyToSend[]): Promise<void> {
    for (const { key, delayMs = 0 } of keys) {
      const dueAtMs = this.#clock.now() + delayMs;
      const receipt = `${encodeWorkKey(key)} ${dueAtMs}`;
      this.#messages.set(receipt, { key, dueAtMs, visibleAtMs: dueAtMs, receiveCount: 0 });
    }
  }

  async hide({ receipt }: ReceivedMessage, delayMs: number): Promise<'hidden' | 'gone'> {
    const message = this.#messages.get(receipt);
    if (message) message.visibleAtMs = this.#clock.now() + delayMs;
    return message ? 'hidden' : 'gone';
  }

  async bury({ key }: ReceivedMessage, why: string): Promise<void> {
    throw new Error(`${encodeWorkKey(key)} ${why}`);
  }

  acknowledge({ receipt }: ReceivedMessage): void {
    this.#messages.delete(receipt);
  }

  /** The message that is visible now, until it is acknowledged or its visibility timeout has passed. */
  receive(): ReceivedMessage | undefined {
    const nowMs = this.#clock.now();
    const [receipt, message] = this.#first() ?? [];
    if (receipt === undefined || !message || message.visibleAtMs > nowMs) return undefined;
    message.visibleAtMs = nowMs + VISIBILITY_TIMEOUT_MS;
    message.receiveCount += 1;
    const { key, dueAtMs, receiveCount } = message;
    return { key, receipt, dueAtMs, receivedAtMs: nowMs, receiveCount };
  }

  /** When the next message becomes visible; infinite if there is none. */
  nextMs(): number {
    return this.#first()?.[1].visibleAtMs ?? Number.POSITIVE_INFINITY;
  }

  #first(): readonly [string, Message] | undefined {
    let first: readonly [string, Message] | undefined;
    for (const entry of this.#messages) if (!first || entry[1].visibleAtMs < first[1].visibleAtMs) first = entry;
    return first;
  }
}
