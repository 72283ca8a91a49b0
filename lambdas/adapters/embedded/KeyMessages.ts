import { joinTraces, type KeyTrace } from '../../ports/TraceContext.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';

/** A message that no worker has. `messages` are all messages of its key. */
export interface WaitingMessage {
  readonly messages: KeyMessages;
  /** When it may be delivered. */
  visibleAtMs: number;
  /** The latest due time of the messages merged into it, so that a sync that covers this message covers them all. */
  dueAtMs: number;
  receiveCount: number;
  /** Those of all messages merged into it. */
  traces: readonly KeyTrace[] | undefined;
  /** False after its delivery. */
  waits: boolean;
}

/**
 * Why a message waits: for a worker, for its backoff, or until a due time. Only messages that wait for the same reason are merged, and delayed ones only if
 * they are due at the same instant. So an event never replaces a wake-up, and a backoff never delays an event.
 */
export type WaitingFor = 'worker' | 'backoff' | number;

/** The messages of one key: those that wait, and at most one that a worker has. */
export class KeyMessages {
  readonly key: WorkKey;
  /** The receipt of the message that a worker has. While it is set, the key's other messages are not delivered. */
  receipt: string | undefined = undefined;
  /** Visible messages that were skipped because a worker had another one. */
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

  /** Returns when each waiting message becomes visible, and whether it waits for its backoff. */
  waiting(): readonly { readonly visibleAtMs: number; readonly isBackoff: boolean }[] {
    return [...this.#waiting].map(([reason, { visibleAtMs }]) => ({ visibleAtMs, isBackoff: reason === 'backoff' }));
  }

  find(reason: WaitingFor): WaitingMessage | undefined {
    return this.#waiting.get(reason);
  }

  add(reason: WaitingFor, visibleAtMs: number, dueAtMs: number, receiveCount: number): WaitingMessage {
    const message: WaitingMessage = {
      messages: this,
      visibleAtMs,
      dueAtMs,
      receiveCount,
      traces: undefined,
      waits: true,
    };
    this.#waiting.set(reason, message);
    return message;
  }

  /** Removes all messages that may be delivered now, and returns them merged into one. */
  take(nowMs: number): Pick<WaitingMessage, 'dueAtMs' | 'receiveCount' | 'traces'> {
    let dueAtMs = 0;
    let receiveCount = 0;
    let traces: readonly KeyTrace[] | undefined;
    for (const [reason, message] of this.#waiting) {
      if (message.visibleAtMs > nowMs) continue;
      dueAtMs = Math.max(dueAtMs, message.dueAtMs);
      receiveCount = Math.max(receiveCount, message.receiveCount);
      if (message.traces) traces = joinTraces(traces, message.traces);
      message.waits = false;
      this.#waiting.delete(reason);
    }
    return { dueAtMs, receiveCount, traces };
  }
}
