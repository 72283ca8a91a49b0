/** The facts by which events are correlated. */
export interface EventFacts {
  readonly component: string;
  /** The node of the component, if it runs on nodes. */
  readonly host?: string | undefined;
  /** The object's kind, namespace, name, UID and API version, joined. */
  readonly regarding: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Distinguishes events that are the same otherwise. Similar events are combined without regard to it. */
  readonly fieldPath?: string | undefined;
}

/** What is remembered of an event, written or dropped, under the key that events must share to count as the same. */
interface Observation {
  /** The name given to its first occurrence. */
  readonly name: string;
  readonly count: number;
  readonly firstTimestampMs: number;
}

export type Correlated =
  /** The source has sent too many events: this one is counted and not written. */
  | { readonly status: 'dropped' }
  | (Observation & {
      readonly status: 'write';
      /** Equal keys mean the same event. */
      readonly key: string;
      readonly message: string;
      /** True for an event that stands for several with different messages. */
      readonly isCombined: boolean;
    });

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
 * client-go's EventCorrelator, in the same order. First, from the tenth different message on, events that differ only in their message become one, "(combined from similar events)". Second,
 * the same event again counts up. Third, each source may write 25 events of one type about one object at once, then one every five minutes; a dropped event has been counted, and the
 * next one that is written shows it. As in client-go, each process has a memory of its own. Takes time and names as arguments; does no I/O.
 */
export class EventCorrelator {
  readonly #aggregates = new LruMap<string, Aggregate>(CACHE_ENTRIES);
  readonly #observed = new LruMap<string, Observation>(CACHE_ENTRIES);
  readonly #buckets = new LruMap<string, TokenBucket>(CACHE_ENTRIES);

  /** Counts an event. `newName` names one that was not observed before. */
  correlate(event: EventFacts, nowMs: number, newName: () => string): Correlated {
    const { key, message, isCombined } = this.#aggregate(event, nowMs);
    const observation = this.#observe(key, nowMs, newName);
    if (!this.#takeToken([sourceOf(event), event.type].join('|'), nowMs)) return { status: 'dropped' };
    return { status: 'write', key, message, isCombined, ...observation };
  }

  #observe(key: string, nowMs: number, newName: () => string): Observation {
    const earlier = this.#observed.get(key);
    const observation = earlier
      ? { ...earlier, count: earlier.count + 1 }
      : { name: newName(), count: 1, firstTimestampMs: nowMs };
    this.#observed.set(key, observation);
    return observation;
  }

  #aggregate(event: EventFacts, nowMs: number): { key: string; message: string; isCombined: boolean } {
    const similar = [sourceOf(event), event.type, event.reason].join('|');
    let aggregate = this.#aggregates.get(similar);
    if (!aggregate || nowMs - aggregate.lastSeenMs > SIMILAR_WINDOW_MS) {
      aggregate = { messages: new Set(), lastSeenMs: nowMs };
      this.#aggregates.set(similar, aggregate);
    }
    aggregate.lastSeenMs = nowMs;
    aggregate.messages.add(event.message);
    const { message, fieldPath = '' } = event;
    if (aggregate.messages.size < SIMILAR_EVENTS)
      return { key: `${similar}|${fieldPath}|${message}`, message, isCombined: false };
    // One message is removed for each that is added, so the set stays at its limit and the next different message is combined too.
    const [any] = aggregate.messages;
    if (any !== undefined) aggregate.messages.delete(any);
    return { key: similar, message: `(combined from similar events): ${event.message}`, isCombined: true };
  }

  #takeToken(source: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(source) ?? { tokens: SPAM_BURST, refilledMs: nowMs };
    // A clock that was set back takes no tokens away.
    const passedMs = Math.max(0, nowMs - bucket.refilledMs);
    bucket.tokens = Math.min(SPAM_BURST, bucket.tokens + passedMs / SPAM_REFILL_MS);
    bucket.refilledMs = nowMs;
    this.#buckets.set(source, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

function sourceOf({ component, host = '', regarding }: EventFacts): string {
  return [component, host, regarding].join('|');
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
}
