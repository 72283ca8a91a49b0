import { LruMap } from './LruMap.ts';

/** What correlation looks at: who says what about whom. */
export interface EventFacts {
  readonly component: string;
  /** Kind, namespace, name, UID and API version of the object, joined. */
  readonly regarding: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Tells events apart that are else the same, and is as good as none where similar ones are combined. */
  readonly fieldPath?: string | undefined;
}

/** What is remembered of an event that was written, under the key that says which ones are the same. */
export interface WrittenEvent {
  readonly name: string;
  readonly count: number;
  readonly firstTimestampMs: number;
}

export type Correlated =
  /** Too chatty a source: say nothing. */
  | { readonly status: 'dropped' }
  | {
      readonly status: 'write';
      /** Under which to `remember` what was written. */
      readonly key: string;
      readonly message: string;
      readonly count: number;
      /** The event to count up; absent for one to create. */
      readonly earlier?: WrittenEvent;
    };

interface Aggregate {
  readonly messages: Set<string>;
  lastSeenMs: number;
}

interface TokenBucket {
  tokens: number;
  refilledMs: number;
}

// client-go's defaults (tools/record/events_cache.go).
const CACHE_ENTRIES = 4096;
const SIMILAR_EVENTS = 10;
const SIMILAR_WINDOW_MS = 600_000;
const SPAM_BURST = 25;
const SPAM_REFILL_MS = 300_000;

/**
 * client-go's EventCorrelator: from the tenth different message on, events that are alike but for their message become one, "(combined from similar
 * events)"; the same event again counts up; and each source has 25 events at once, then one every five minutes, about one object. As in
 * client-go the memory is the process's own, so a new process begins afresh. Takes time as an argument; does no I/O.
 */
export class EventCorrelator {
  readonly #aggregates = new LruMap<string, Aggregate>(CACHE_ENTRIES);
  readonly #written = new LruMap<string, WrittenEvent>(CACHE_ENTRIES);
  readonly #buckets = new LruMap<string, TokenBucket>(CACHE_ENTRIES);

  correlate(event: EventFacts, nowMs: number): Correlated {
    const { key, message } = this.#aggregate(event, nowMs);
    const earlier = this.#written.get(key);
    if (!this.#takeToken(`${event.component}|${event.regarding}`, nowMs)) return { status: 'dropped' };
    return { status: 'write', key, message, count: (earlier?.count ?? 0) + 1, ...(earlier && { earlier }) };
  }

  remember(key: string, written: WrittenEvent): void {
    this.#written.set(key, written);
  }

  /** The event is gone, so the next of its kind is created anew. */
  forget(key: string): void {
    this.#written.delete(key);
  }

  #aggregate(event: EventFacts, nowMs: number): { key: string; message: string } {
    const similar = [event.component, event.regarding, event.type, event.reason].join('|');
    let aggregate = this.#aggregates.get(similar);
    if (!aggregate || nowMs - aggregate.lastSeenMs > SIMILAR_WINDOW_MS) {
      aggregate = { messages: new Set(), lastSeenMs: nowMs };
      this.#aggregates.set(similar, aggregate);
    }
    aggregate.lastSeenMs = nowMs;
    aggregate.messages.add(event.message);
    const { message, fieldPath = '' } = event;
    if (aggregate.messages.size < SIMILAR_EVENTS) return { key: `${similar}|${fieldPath}|${message}`, message };
    // One goes as one comes, so the set stays at its limit and the next different message is combined too.
    const [any] = aggregate.messages;
    if (any !== undefined) aggregate.messages.delete(any);
    return { key: similar, message: `(combined from similar events): ${event.message}` };
  }

  #takeToken(source: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(source) ?? { tokens: SPAM_BURST, refilledMs: nowMs };
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + (nowMs - bucket.refilledMs) / SPAM_REFILL_MS);
    bucket.refilledMs = nowMs;
    this.#buckets.set(source, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
