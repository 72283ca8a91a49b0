import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Clock } from '../../../lambdas/ports/Clock.ts';
import type { Random } from '../../simulation/Random.ts';

/** How often a queue does what a standard queue may do: probabilities, and `skewMs`, by how much the clocks of its machines differ from the true time. */
export interface QueueFaults {
  readonly duplicateMessage: number;
  readonly lateMessage: number;
  /** A message that was received a moment ago, or deleted, is handed out again. */
  readonly redelivery: number;
  /** A delayed message of `sync` is lost once `settle` is told that something stands in for it. No queue of AWS does this; what is stored with the key must stand in for it all the same. */
  readonly lostWakeUp: number;
  readonly skewMs: number;
  /** Of a batch that is sent, a message is refused by a service that is too busy; the others are accepted. Absent: never. */
  readonly refusedMessage?: number;
}

export interface QueueOptions {
  readonly url: string;
  readonly visibilityTimeoutMs: number;
  /** A message that was received more often goes to the dead letters. */
  readonly redrive?: { readonly maxReceives: number; readonly to: QueueModel };
}

export interface QueueParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: () => QueueFaults;
}

export interface NewMessage {
  readonly body: string;
  readonly delaySeconds: number;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>>;
}

export interface QueuedMessage extends NewMessage {
  readonly id: string;
  readonly sentAtMs: number;
  visibleAtMs: number;
  firstReceivedAtMs: number | undefined;
  receiveCount: number;
  receipt: string;
  /** True if it may be lost as soon as something stands in for it. */
  isForgettable: boolean;
  cancelTimer: () => void;
}

/** A standard queue: it hands out messages in any order, now and then twice or late, and hides what it has handed out until the visibility timeout passes. */
export class QueueModel {
  readonly options: QueueOptions;
  readonly #parts: QueueParts;
  readonly #messages = new Map<string, QueuedMessage>();
  readonly #visible = new Set<QueuedMessage>();
  /** Called when a message can be received. */
  onVisible: () => void = () => {};
  /** Called when somebody deletes a message that he has received. */
  onDelete: (message: QueuedMessage) => void = () => {};
  #ids = 0;

  constructor(options: QueueOptions, parts: QueueParts) {
    this.options = options;
    this.#parts = parts;
  }

  get size(): number {
    return this.#messages.size;
  }

  get visibleCount(): number {
    return this.#visible.size;
  }

  messages(): Iterable<QueuedMessage> {
    return this.#messages.values();
  }

  clear(): void {
    for (const message of this.#messages.values()) this.#forget(message);
  }

  /** The same as `send`, but a message with a delay may be lost by `settle`. */
  sendForgettable(message: NewMessage): string {
    const { random, faults } = this.#parts;
    const isForgettable = message.delaySeconds > 0 && random.chance(faults().lostWakeUp);
    return isForgettable ? this.#add(message, 0, true) : this.send(message);
  }

  /** Something stands in for these messages from now on, or nothing ever will: loses those that were to be lost and that nobody has received, or keeps them for good. */
  settle(messages: Iterable<QueuedMessage>, isStoodInFor: boolean): void {
    for (const message of messages) {
      if (message.isForgettable && isStoodInFor && message.receiveCount === 0) this.#forget(message);
      message.isForgettable = false;
    }
  }

  /** Returns the message's id. */
  send(message: NewMessage): string {
    const { random, faults } = this.#parts;
    const { duplicateMessage, lateMessage } = faults();
    const copies = random.chance(duplicateMessage) ? 2 : 1;
    let id = '';
    for (let copy = 0; copy < copies; copy += 1)
      id = this.#add(message, random.chance(lateMessage) ? random.integer(1, 3_000) : 0, false);
    return id;
  }

  /** Hands out visible messages, at most `limit`, which stay hidden until their visibility timeout passes. */
  receive(limit: number): SQSRecord[] {
    const received: SQSRecord[] = [];
    while (received.length < limit && this.#visible.size > 0) {
      const message = this.#pick();
      message.receiveCount += 1;
      const { redrive } = this.options;
      if (redrive && message.receiveCount > redrive.maxReceives) {
        this.#forget(message);
        redrive.to.send({ ...message, delaySeconds: 0 });
      } else received.push(this.#handOut(message));
    }
    return received;
  }

  /** What `ChangeMessageVisibility` does. A receipt that a later one has replaced means nothing any more. */
  hide(receipt: string, delaySeconds: number): 'hidden' | 'stale' {
    const message = this.#inFlight(receipt);
    if (!message) return 'stale';
    this.#hideUntil(message, this.#parts.clock.now() + delaySeconds * 1000);
    return 'hidden';
  }

  delete(receipt: string): void {
    const { random, faults } = this.#parts;
    const message = this.#inFlight(receipt);
    if (message) this.onDelete(message);
    if (message && !random.chance(faults().redelivery / 2)) this.#forget(message);
  }

  #add(message: NewMessage, lateMs: number, isForgettable: boolean): string {
    const { clock } = this.#parts;
    this.#ids += 1;
    const added: QueuedMessage = {
      ...message,
      id: `m${this.#ids}`,
      sentAtMs: clock.now() + this.#machineSkewMs(),
      visibleAtMs: 0,
      firstReceivedAtMs: undefined,
      receiveCount: 0,
      receipt: '',
      isForgettable,
      cancelTimer: () => {},
    };
    this.#messages.set(added.id, added);
    this.#hideUntil(added, clock.now() + message.delaySeconds * 1000 + lateMs);
    return added.id;
  }

  #machineSkewMs(): number {
    const { skewMs } = this.#parts.faults();
    return skewMs === 0 ? 0 : Math.round((this.#parts.random.fraction() * 2 - 1) * skewMs);
  }

  /** The oldest, or any if the order is disturbed. */
  #pick(): QueuedMessage {
    const { random, faults } = this.#parts;
    const ordered = [...take(this.#visible, faults().lateMessage > 0 ? 20 : 1)];
    return ordered.length === 1 ? (ordered[0] as QueuedMessage) : random.pick(ordered);
  }

  #handOut(message: QueuedMessage): SQSRecord {
    const { random, faults, clock } = this.#parts;
    const { url, visibilityTimeoutMs } = this.options;
    message.receipt = `${message.id}.${message.receiveCount}`;
    message.firstReceivedAtMs ??= clock.now();
    const backMs = random.chance(faults().redelivery) ? random.integer(1, 60_000) : visibilityTimeoutMs;
    this.#hideUntil(message, clock.now() + backMs);
    return {
      messageId: message.id,
      receiptHandle: message.receipt,
      body: message.body,
      attributes: {
        SentTimestamp: String(message.sentAtMs),
        ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
        ApproximateReceiveCount: String(message.receiveCount),
        SenderId: 'functions',
      },
      messageAttributes: Object.fromEntries(
        Object.entries(message.attributes).map(([name, { StringValue = '', DataType = 'String' }]) => {
          return [name, { stringValue: StringValue, dataType: DataType }];
        }),
      ),
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: url,
      awsRegion: 'us-east-1',
    };
  }

  #inFlight(receipt: string): QueuedMessage | undefined {
    const message = this.#messages.get(receipt.split('.')[0] ?? '');
    return message?.receipt === receipt ? message : undefined;
  }

  #hideUntil(message: QueuedMessage, atMs: number): void {
    const { clock } = this.#parts;
    message.cancelTimer();
    this.#visible.delete(message);
    message.visibleAtMs = atMs;
    message.cancelTimer = clock.setTimer(atMs - clock.now(), () => {
      this.#visible.add(message);
      this.onVisible();
    });
  }

  #forget(message: QueuedMessage): void {
    message.cancelTimer();
    this.#visible.delete(message);
    this.#messages.delete(message.id);
  }
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0;
  for (const item of items) {
    if (taken === count) return;
    taken += 1;
    yield item;
  }
}
