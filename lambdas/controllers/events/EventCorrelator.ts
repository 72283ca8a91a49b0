/** The facts by which events are correlated. */
export interface EventFacts {
  readonly component: string;
  /** The object's kind, namespace, name, UID and API version, joined. */
  readonly regarding: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Distinguishes events that are the same otherwise. Similar events are combined without regard to it. */
  readonly fieldPath?: string | undefined;
}

/** What is remembered of a written event, under the key that events must share to count as the same. */
export interface WrittenEvent {
  readonly name: string;
  readonly count: number;
  readonly firstTimestampMs: number;
}

export type Correlated =
  /** The source has sent too many events: this one is not written. */
  | { readonly status: 'dropped' }
  | {
      readonly status: 'write';
      /** The key for `remember`. */
      readonly key: string;
      readonly message: string;
      readonly count: number;
      /** The event to count up. Absent: create a new one. */
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
 * client-go's EventCorrelator. From the tenth different message on, events that differ only in their message become one, "(combined from similar events)". The same event again counts up. Each
 * source may send 25 events at once about one object, then one every five minutes. As in client-go, each process has a memory of its own. Takes time as an argument; does no
 * I/O.
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

  /** Forgets an event that is gone, so that the next one of its kind is created. */
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
    // One message is removed for each that is added, so the set stays at its limit and the next different message is combined too.
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

/** A Map of at most `capacity` entries. A new entry replaces the one whose last use is longest ago. */
class LruMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
