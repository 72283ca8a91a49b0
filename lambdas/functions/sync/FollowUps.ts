import type { Clock } from '../../ports/Clock.ts';
import type { KeyLocks } from '../../ports/KeyLocks.ts';
import { encodeWorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../ports/WorkQueue.ts';
import { mergeKeys } from '../enqueue/mergeKeys.ts';
import type { SyncHandler } from './createSyncHandler.ts';

export interface FollowUpOptions {
  /** Gets the keys that are not synced here. */
  readonly workQueue: Pick<WorkQueue, 'send'>;
  /** Syncs keys for which there is no message in the queue. */
  readonly sync: SyncHandler;
  readonly clock: Pick<Clock, 'now' | 'steadyMs'>;
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
}

/** How many keys an invocation syncs at the same time besides those that it received: as many as a batch has. */
const MOST_AT_ONCE = 10;
/** A sync that began later might not end before the function's time is over (40 s; a sync takes up to 30 s). */
const LATEST_START_MS = 5_000;

/**
 * Syncs the keys of the changes that an invocation makes itself, within the same invocation and under their own locks: the way through the queue would take longer than most of these syncs.
 *
 * A key is not begun while this process syncs it already, but afterwards: it would only meet its own lock. Where an invocation has enough of them under way, or not enough time left, the keys go to the queue.
 *
 * Nothing depends on a follow-up. The stream brings its key too, and `enqueue` leaves that message out only once a sync has ended well that knew of the change. So a follow-up that meets another worker's lock
 * only leaves its mark, and one whose process dies is forgotten.
 */
export class FollowUps {
  readonly #options: FollowUpOptions;
  /** The keys whose lock this process has. */
  readonly #held = new Set<string>();
  readonly #running = new Set<string>();
  /** Keys that are begun when their lock is free again. */
  readonly #waiting = new Map<string, KeyToSend>();
  readonly #underWay = new Set<Promise<unknown>>();
  #startedMs = Number.NEGATIVE_INFINITY;
  /** A time by the queue's clock that has passed, and the steady time at which that was known. */
  #queueTime = { atMs: 0, steadyMs: 0 };

  constructor(options: FollowUpOptions) {
    this.#options = options;
  }

  /** An invocation begins. */
  begin(): void {
    this.#held.clear();
    this.#startedMs = this.#options.clock.steadyMs();
  }

  /** Must be called with the messages that the invocation has received: they tell the queue's time. */
  noteReceived(messages: readonly ReceivedMessage[]): void {
    const atMs = Math.max(this.#queueNow(), ...messages.map(({ receivedAtMs }) => receivedAtMs));
    this.#queueTime = { atMs, steadyMs: this.#options.clock.steadyMs() };
  }

  /** Begins the syncs of as many keys as there is room for, and sends the others. Resolves when those are in the queue. */
  async send(keys: readonly KeyToSend[]): Promise<void> {
    const others = keys.filter((key) => !this.#take(key));
    if (others.length > 0) await this.#options.workQueue.send(others);
  }

  /** Resolves when no follow-up is under way. Those whose key this process could not begin are in the queue by then. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    const left = [...this.#waiting.values()];
    this.#waiting.clear();
    if (left.length > 0) await this.#sendOn(left);
  }

  get areUnderWay(): boolean {
    return this.#underWay.size > 0 || this.#waiting.size > 0;
  }

  /** Returns the locks, observed: whoever syncs in this process must use these. */
  observe(locks: KeyLocks): KeyLocks {
    return {
      acquire: async (key, ...asked) => {
        const outcome = await locks.acquire(key, ...asked);
        if (outcome.status === 'acquired') this.#held.add(encodeWorkKey(key));
        return outcome;
      },
      release: async (key, ...released) => {
        const outcome = await locks.release(key, ...released);
        if (outcome.status !== 'dirty') this.#free(encodeWorkKey(key), this.#held);
        return outcome;
      },
      recordIntent: (...recorded) => locks.recordIntent(...recorded),
      overdue: (...asked) => locks.overdue(...asked),
      peek: (key) => locks.peek(key),
    };
  }

  /** Returns false if the key must go to the queue. */
  #take(send: KeyToSend): boolean {
    const encoded = encodeWorkKey(send.key);
    if (this.#held.has(encoded) || this.#running.has(encoded)) {
      this.#wait(encoded, send);
      return true;
    }
    const isLate = this.#options.clock.steadyMs() - this.#startedMs > LATEST_START_MS;
    if (isLate || this.#running.size >= MOST_AT_ONCE) return false;
    this.#running.add(encoded);
    this.#note(this.#options.sync([this.#asMessage(send)]).finally(() => this.#free(encoded, this.#running)));
    return true;
  }

  #wait(encoded: string, send: KeyToSend): void {
    const waiting = this.#waiting.get(encoded);
    const [both = send] = waiting ? mergeKeys([waiting, send]) : [send];
    this.#waiting.set(encoded, both);
  }

  #free(encoded: string, from: Set<string>): void {
    from.delete(encoded);
    const waiting = this.#waiting.get(encoded);
    if (!waiting || this.#held.has(encoded) || this.#running.has(encoded)) return;
    this.#waiting.delete(encoded);
    if (!this.#take(waiting)) this.#note(this.#sendOn([waiting]));
  }

  #note(work: Promise<unknown>): void {
    const noted = work.finally(() => this.#underWay.delete(noted));
    this.#underWay.add(noted);
  }

  async #sendOn(keys: readonly KeyToSend[]): Promise<void> {
    const { workQueue, log } = this.#options;
    await workQueue.send(keys).catch((error: unknown) => {
      log({ level: 'info', msg: 'keys are left to the stream', error: String(error) });
    });
  }

  /** The key as if the queue had delivered it. No earlier sync satisfies it by its time, since the two clocks differ by less than the margin for that: it was due when the later of them says. */
  #asMessage({ key, causes, traces }: KeyToSend): ReceivedMessage {
    const receivedAtMs = this.#queueNow();
    const dueAtMs = Math.max(receivedAtMs, this.#options.clock.now());
    const told = { ...(causes && { causes }), ...(traces && { traces }) };
    return { key, receipt: '', dueAtMs, receivedAtMs, receiveCount: 1, ...told };
  }

  #queueNow(): number {
    const { atMs, steadyMs } = this.#queueTime;
    return atMs + (this.#options.clock.steadyMs() - steadyMs);
  }
}
