import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { KeyItem } from '../../lambdas/ports/KeyLocks.ts';
import type { KeyToSend, ReceivedMessage } from '../../lambdas/ports/WorkQueue.ts';
import type { GateParts } from './Gate.ts';

interface Message {
  readonly id: number;
  readonly key: WorkKey;
  readonly dueAtMs: number;
  visibleAtMs: number;
  firstReceivedAtMs: number | undefined;
  receiveCount: number;
  receipt: string;
  /** True until the key's next release says whether its sync went well. */
  mayBeLost: boolean;
}

/** What sends a key: a sync that wants another one, the handler of a change, or an operator who sends dead letters again. */
export type Sender = 'sync' | 'change' | 'operator';

const VISIBILITY_TIMEOUT_MS = 90_000;
const MAX_RECEIVES = 100;
const MAX_BATCH = 3;

/**
 * A standard queue at its worst: it hands messages out in any order, twice, late, and again after they were acknowledged. It may lose a delayed message of a sync that went well, so that the
 * wake-up which is stored with the key must stand in for it. It loses no other: nothing stands in for the message of a change, or for the fresh one of a key whose sync failed.
 */
export class SimulatedQueue {
  readonly #parts: GateParts;
  readonly #messages = new Map<number, Message>();
  readonly #onVisible: () => void;
  /** The keys whose last sync failed. */
  readonly #failed = new Set<string>();
  #ids = 0;
  /** Every key that was ever sent. */
  readonly seenKeys = new Set<string>();
  /** Keys that were given up, to be redriven by an operator. */
  deadLetters: WorkKey[] = [];

  constructor(parts: GateParts, onVisible: () => void) {
    this.#parts = parts;
    this.#onVisible = onVisible;
  }

  get size(): number {
    return this.#messages.size;
  }

  get keys(): readonly string[] {
    return [...this.#messages.values()].map(({ key }) => encodeWorkKey(key));
  }

  /** The messages of a key: when each is due by a clock of the queue, and when it can be received. */
  messagesOf(encoded: string): readonly { readonly dueAtMs: number; readonly visibleAtMs: number }[] {
    return [...this.#messages.values()].filter(({ key }) => encodeWorkKey(key) === encoded);
  }

  /** The keys of all messages that can be received by then. */
  keysVisibleBy(atMs: number): readonly string[] {
    const visible = [...this.#messages.values()].filter(({ visibleAtMs }) => visibleAtMs <= atMs);
    return visible.map(({ key }) => encodeWorkKey(key));
  }

  /** Forgets every message: the process that held them has ended. */
  clear(): void {
    this.#messages.clear();
    this.deadLetters = [];
    this.#failed.clear();
  }

  /** A key's lock was released, after a sync that has failed or not. */
  onRelease(key: WorkKey, { failures }: Pick<KeyItem, 'failures'>): void {
    const encoded = encodeWorkKey(key);
    if (failures > 0) this.#failed.add(encoded);
    else this.#failed.delete(encoded);
    for (const message of this.#messages.values()) {
      if (!message.mayBeLost || encodeWorkKey(message.key) !== encoded) continue;
      message.mayBeLost = false;
      if (failures === 0 && message.receiveCount === 0) this.#messages.delete(message.id);
    }
  }

  /** When a message is due is said by the queue's own machines, whose clocks differ. */
  send(keys: readonly KeyToSend[], sender: Sender): void {
    const { random, faults, scheduler } = this.#parts;
    const { duplicateMessage, lateMessage } = faults.rates;
    for (const { key, delayMs = 0 } of keys) {
      this.seenKeys.add(encodeWorkKey(key));
      const isLost = delayMs > 0 && random.chance(faults.rates.lostWakeUp);
      if (isLost && sender === 'sync' && !this.#failed.has(encodeWorkKey(key))) {
        this.#put(key, scheduler.now() + delayMs, scheduler.now() + delayMs, true);
        continue;
      }
      const copies = random.chance(duplicateMessage) ? 2 : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        const lateMs = random.chance(lateMessage) ? random.integer(1, 3000) : random.integer(0, 2);
        const visibleAtMs = scheduler.now() + delayMs;
        this.#put(key, visibleAtMs + this.#machineSkewMs(), visibleAtMs + lateMs);
      }
    }
  }

  hide({ receipt }: ReceivedMessage, delayMs: number): 'hidden' | 'gone' {
    const message = this.#inFlight(receipt);
    if (message) this.#show(message, this.#parts.scheduler.now() + delayMs);
    return message ? 'hidden' : 'gone';
  }

  bury({ key }: ReceivedMessage): void {
    this.deadLetters.push(key);
  }

  acknowledge({ receipt }: ReceivedMessage): void {
    const { random, faults } = this.#parts;
    const message = this.#inFlight(receipt);
    if (message && !random.chance(faults.rates.redelivery / 2)) this.#messages.delete(message.id);
  }

  /** Hands out some visible messages, which stay hidden until their visibility timeout passes. */
  receive(): ReceivedMessage[] {
    const { random } = this.#parts;
    const received: ReceivedMessage[] = [];
    const count = random.integer(1, MAX_BATCH);
    for (let visible = this.#visible(); visible.length > 0 && received.length < count; visible = this.#visible()) {
      const message = random.pick(visible);
      message.receiveCount += 1;
      if (message.receiveCount > MAX_RECEIVES) {
        this.#messages.delete(message.id);
        this.deadLetters.push(message.key);
      } else {
        received.push(this.#handOut(message));
      }
    }
    return received;
  }

  #machineSkewMs(): number {
    const { random, faults } = this.#parts;
    return Math.round((random.fraction() * 2 - 1) * faults.rates.skewMs);
  }

  #handOut(message: Message): ReceivedMessage {
    const { random, faults, scheduler } = this.#parts;
    message.receipt = `${message.id}.${message.receiveCount}`;
    const backMs = random.chance(faults.rates.redelivery) ? random.integer(1, 60_000) : VISIBILITY_TIMEOUT_MS;
    this.#show(message, scheduler.now() + backMs);
    message.firstReceivedAtMs ??= scheduler.now();
    const { key, receipt, dueAtMs, firstReceivedAtMs, receiveCount } = message;
    return { key, receipt, dueAtMs, receivedAtMs: Math.max(dueAtMs, firstReceivedAtMs), receiveCount };
  }

  #visible(): Message[] {
    const nowMs = this.#parts.scheduler.now();
    return [...this.#messages.values()].filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
  }

  /** A receipt that a later one has replaced means nothing any more. */
  #inFlight(receipt: string): Message | undefined {
    const message = this.#messages.get(Number(receipt.split('.')[0]));
    return message?.receipt === receipt ? message : undefined;
  }

  #put(key: WorkKey, dueAtMs: number, visibleAtMs: number, mayBeLost = false): void {
    this.#ids += 1;
    const message: Message = {
      id: this.#ids,
      key,
      dueAtMs,
      visibleAtMs,
      firstReceivedAtMs: undefined,
      receiveCount: 0,
      receipt: '',
      mayBeLost,
    };
    this.#messages.set(message.id, message);
    this.#show(message, visibleAtMs);
  }

  #show(message: Message, atMs: number): void {
    const { scheduler } = this.#parts;
    message.visibleAtMs = atMs;
    scheduler.setTimer(atMs - scheduler.now(), this.#onVisible);
  }
}
