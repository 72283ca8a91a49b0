import type { Clock } from '../../ports/Clock.ts';
import { joinTraces } from '../../ports/TraceContext.ts';
import { encodeWorkKey, type WorkKey } from '../../ports/WorkKey.ts';
import type { KeyToSend, ReceivedMessage, WorkQueue } from '../../ports/WorkQueue.ts';
import { KeyMessages, type WaitingMessage } from './KeyMessages.ts';
import { QueueLane } from './QueueLane.ts';

export interface EmbeddedWorkQueueOptions {
  readonly clock: Clock;
  /** After this time a received message that was neither acknowledged nor hidden becomes visible again. Must be longer than a sync's lock. */
  readonly visibilityTimeoutMs: number;
  /** After this many deliveries a message becomes a dead letter: the last resort for a key whose syncs kill their worker. */
  readonly maxReceives: number;
  /** Called for each message that was added and not merged into a waiting one. */
  readonly onAdded?: (controller: string) => void;
}

export interface DeadLetter {
  readonly key: WorkKey;
  readonly why: string;
  readonly buriedAtMs: number;
  readonly receiveCount: number;
}

interface Flight {
  readonly messages: KeyMessages;
  readonly message: ReceivedMessage;
  readonly returnsAtMs: number;
}

/**
 * The work queue of one process, whose time is a Clock's. It promises more than the port: a key's messages are delivered one at a time, so the key's syncs
 * never compete for its lock, and messages of one key that wait for the same reason are merged. Sending, receiving, hiding and acknowledging take
 * O(log n).
 *
 * It keeps nothing across a restart: the composition queues every key when it starts.
 */
export class EmbeddedWorkQueue implements WorkQueue {
  readonly #clock: Clock;
  readonly #visibilityTimeoutMs: number;
  readonly #maxReceives: number;
  readonly #onAdded: (controller: string) => void;
  readonly #keys = new Map<string, KeyMessages>();
  readonly #lanes = new Map<string, QueueLane>();
  /** The received messages. All have the same visibility timeout, so they are in the order in which they return. */
  readonly #flights = new Map<string, Flight>();
  readonly #deadLetters = new Map<string, DeadLetter>();
  #idleWaiters: (() => void)[] = [];
  #receipts = 0;
  #timer: { readonly atMs: number; readonly cancel: () => void } | undefined;

  constructor(options: EmbeddedWorkQueueOptions) {
    this.#clock = options.clock;
    this.#visibilityTimeoutMs = options.visibilityTimeoutMs;
    this.#maxReceives = options.maxReceives;
    this.#onAdded = options.onAdded ?? (() => {});
  }

  async send(keys: readonly KeyToSend[]): Promise<void> {
    const nowMs = this.#clock.now();
    for (const one of keys) this.#add(one, nowMs);
    this.#serve();
  }

  async hide(message: ReceivedMessage, delayMs: number): Promise<'hidden' | 'gone'> {
    const flight = this.#endFlight(message);
    if (flight) this.#return(flight, this.#clock.now() + delayMs);
    this.#serve();
    return flight ? 'hidden' : 'gone';
  }

  async bury(message: ReceivedMessage, why: string): Promise<void> {
    this.#keepDeadLetter(message.key, message.receiveCount, why);
  }

  /** Deletes a received message. Does nothing if its visibility timeout has passed, since another worker may have it now. */
  acknowledge(message: ReceivedMessage): void {
    const flight = this.#endFlight(message);
    if (flight) this.#forgetIfEmpty(flight.messages);
    this.#serve();
  }

  /** Waits for the next message for a controller's worker. Resolves to `undefined` when `signal` is aborted. */
  receive(controller: string, signal: AbortSignal): Promise<ReceivedMessage | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#lane(controller).wait(resolve, signal);
      this.#serve();
    });
  }

  /** Counts the messages of a controller that could be delivered now. It looks at every key, so it is for metrics only. */
  depth(controller: string): number {
    const nowMs = this.#clock.now();
    let depth = 0;
    for (const messages of this.#keys.values()) {
      if (messages.key.controller === controller) depth += messages.visibleCount(nowMs);
    }
    return depth;
  }

  /** Describes the messages of one key for `explain`: whether a worker has one, and when the others become visible. */
  peek(key: WorkKey): { readonly isOut: boolean; readonly waiting: ReturnType<KeyMessages['waiting']> } {
    const messages = this.#keys.get(encodeWorkKey(key));
    return { isOut: messages?.receipt !== undefined, waiting: messages?.waiting() ?? [] };
  }

  /** The number of messages delivered so far. */
  get handedOutCount(): number {
    return this.#receipts;
  }

  /** True if no worker has a message, and none could be delivered at this instant. */
  isIdle(): boolean {
    const nowMs = this.#clock.now();
    if (this.#flights.size > 0) return false;
    return [...this.#lanes.values()].every((lane) => (lane.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) > nowMs);
  }

  /** Resolves as soon as `isIdle`. */
  whenIdle(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idleWaiters.push(resolve));
  }

  /** The dead letters, the oldest first, one for each key. */
  deadLetters(): readonly DeadLetter[] {
    return [...this.#deadLetters.values()];
  }

  /** Queues the dead letters again and returns how many there were. */
  async redrive(): Promise<number> {
    const letters = this.deadLetters();
    this.#deadLetters.clear();
    await this.send(letters.map(({ key }) => ({ key })));
    return letters.length;
  }

  /** Cancels the timer. From now on the queue delivers messages only during calls of its methods. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #add({ key, delayMs = 0, traces }: KeyToSend, nowMs: number): void {
    const messages = this.#messagesOf(key);
    const dueAtMs = nowMs + Math.max(0, delayMs);
    const reason = delayMs > 0 ? dueAtMs : 'worker';
    const waiting = messages.find(reason);
    if (waiting) {
      waiting.dueAtMs = dueAtMs;
      addTraces(waiting, traces);
    } else {
      this.#place(addTraces(messages.add(reason, dueAtMs, dueAtMs, 0), traces));
      this.#onAdded(key.controller);
    }
  }

  /** Makes a received message wait again. If another one of the key waits for its backoff, they are merged and the earlier time holds, as in client-go. */
  #return({ messages, message }: Flight, visibleAtMs: number): void {
    const waiting = messages.find('backoff');
    if (!waiting) {
      const added = messages.add('backoff', visibleAtMs, message.dueAtMs, message.receiveCount);
      this.#place(addTraces(added, message.traces));
      return;
    }
    waiting.dueAtMs = Math.max(waiting.dueAtMs, message.dueAtMs);
    waiting.receiveCount = Math.max(waiting.receiveCount, message.receiveCount);
    addTraces(waiting, message.traces);
    if (visibleAtMs >= waiting.visibleAtMs) return;
    waiting.visibleAtMs = visibleAtMs;
    this.#place(waiting);
  }

  #place(message: WaitingMessage): void {
    this.#lane(message.messages.key.controller).place(message);
  }

  /** Ends the flight of a message, so that the key's other messages can be delivered. */
  #endFlight(message: ReceivedMessage): Flight | undefined {
    const flight = this.#flights.get(message.receipt);
    if (!flight) return undefined;
    this.#flights.delete(message.receipt);
    flight.messages.receipt = undefined;
    for (const waiting of flight.messages.passedOver.splice(0)) this.#place(waiting);
    return flight;
  }

  #deliver(messages: KeyMessages, nowMs: number): ReceivedMessage | undefined {
    const { dueAtMs, receiveCount, traces } = messages.take(nowMs);
    if (receiveCount >= this.#maxReceives) {
      this.#keepDeadLetter(messages.key, receiveCount, `received ${receiveCount} times`);
      this.#forgetIfEmpty(messages);
      return undefined;
    }
    this.#receipts += 1;
    const receipt = `${this.#receipts}`;
    const message = {
      key: messages.key,
      receipt,
      dueAtMs,
      receivedAtMs: nowMs,
      receiveCount: receiveCount + 1,
      ...(traces && { traces }),
    };
    messages.receipt = receipt;
    this.#flights.set(receipt, { messages, message, returnsAtMs: nowMs + this.#visibilityTimeoutMs });
    return message;
  }

  /** Delivers the messages that can be delivered, wakes the callers that wait for idleness, and sets the timer for the next event. */
  #serve(): void {
    const nowMs = this.#clock.now();
    this.#returnUnacknowledged(nowMs);
    const deliver = (messages: KeyMessages) => this.#deliver(messages, nowMs);
    for (const lane of this.#lanes.values()) lane.serve(nowMs, deliver);
    if (this.#idleWaiters.length > 0 && this.isIdle()) {
      const waiters = this.#idleWaiters;
      this.#idleWaiters = [];
      for (const wake of waiters) wake();
    }
    this.#setTimer(nowMs);
  }

  #returnUnacknowledged(nowMs: number): void {
    for (const flight of this.#flights.values()) {
      if (flight.returnsAtMs > nowMs) return;
      this.#endFlight(flight.message);
      this.#return(flight, nowMs);
    }
  }

  #setTimer(nowMs: number): void {
    const atMs = this.#nextEventMs();
    if (this.#timer?.atMs === atMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#clock.setTimer(Math.max(0, atMs - nowMs), () => {
      this.#timer = undefined;
      this.#serve();
    });
    this.#timer = { atMs, cancel };
  }

  /** When a received message returns, or one becomes visible that a worker waits for. Asked after each call of the queue, so it makes nothing. */
  #nextEventMs(): number {
    const [oldest] = this.#flights.values();
    let nextMs = oldest?.returnsAtMs ?? Number.POSITIVE_INFINITY;
    for (const lane of this.#lanes.values()) {
      if (lane.isAwaited) nextMs = Math.min(nextMs, lane.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY);
    }
    return nextMs;
  }

  #messagesOf(key: WorkKey): KeyMessages {
    const encoded = encodeWorkKey(key);
    const known = this.#keys.get(encoded);
    if (known) return known;
    const messages = new KeyMessages(key);
    this.#keys.set(encoded, messages);
    return messages;
  }

  #forgetIfEmpty(messages: KeyMessages): void {
    if (messages.isEmpty) this.#keys.delete(encodeWorkKey(messages.key));
  }

  #keepDeadLetter(key: WorkKey, receiveCount: number, why: string): void {
    this.#deadLetters.set(encodeWorkKey(key), { key, why, buriedAtMs: this.#clock.now(), receiveCount });
  }

  #lane(controller: string): QueueLane {
    const known = this.#lanes.get(controller);
    if (known) return known;
    const lane = new QueueLane();
    this.#lanes.set(controller, lane);
    return lane;
  }
}

function addTraces(waiting: WaitingMessage, traces: KeyToSend['traces']): WaitingMessage {
  if (traces) waiting.traces = joinTraces(waiting.traces, traces);
  return waiting;
}
