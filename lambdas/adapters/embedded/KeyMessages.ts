import type { WorkKey } from '../../ports/WorkKey.ts';

/** A message that no worker has. `messages` are all of its key's. */
export interface WaitingMessage {
  readonly messages: KeyMessages;
  /** When it may be handed out. */
  visibleAtMs: number;
  /** What its worker is told: the latest of those that it was merged from, so that a sync that covers it covers them all. */
  dueAtMs: number;
  receiveCount: number;
  /** False once it was handed out. */
  waits: boolean;
}

/**
 * Why a message waits, which is also what it merges with: new work with new work, a message hidden for its backoff with another such one, and a delayed
 * one only with one due at the same instant. So an event swallows no wake-up, and a backoff keeps no event waiting.
 */
export type WaitingFor = 'worker' | 'backoff' | number;

/** The messages of one key: those that wait, and at most one in a worker's hands. */
export class KeyMessages {
  readonly key: WorkKey;
  /** Of the message that is out, if any; while it is, the key's other messages stay. */
  receipt: string | undefined = undefined;
  /** Visible messages that were passed over because another was out. */
  passedOver: WaitingMessage[] = [];
  readonly #waiting = new Map<WaitingFor, WaitingMessage>();

  constructor(key: WorkKey) {
    this.key = key;
  }

  get isEmpty(): boolean {
    return this.receipt === undefined && this.#waiting.size === 0;
  }

  visibleCount(nowMs: number): number {
    return [...this.#waiting.values()].filter((message) => message.visibleAtMs <= nowMs).length;
  }

  /** When each waiting message becomes visible, and whether it waits for its backoff. */
  waiting(): readonly { readonly visibleAtMs: number; readonly isBackoff: boolean }[] {
    return [...this.#waiting].map(([reason, { visibleAtMs }]) => ({ visibleAtMs, isBackoff: reason === 'backoff' }));
  }

  find(reason: WaitingFor): WaitingMessage | undefined {
    return this.#waiting.get(reason);
  }

  add(reason: WaitingFor, visibleAtMs: number, dueAtMs: number, receiveCount: number): WaitingMessage {
    const message = { messages: this, visibleAtMs, dueAtMs, receiveCount, waits: true };
    this.#waiting.set(reason, message);
    return message;
  }

  /** Takes out all that may be handed out by now, as one message. */
  take(nowMs: number): { readonly dueAtMs: number; readonly receiveCount: number } {
    let dueAtMs = 0;
    let receiveCount = 0;
    for (const [reason, message] of this.#waiting) {
      if (message.visibleAtMs > nowMs) continue;
      dueAtMs = Math.max(dueAtMs, message.dueAtMs);
      receiveCount = Math.max(receiveCount, message.receiveCount);
      message.waits = false;
      this.#waiting.delete(reason);
    }
    return { dueAtMs, receiveCount };
  }
}
