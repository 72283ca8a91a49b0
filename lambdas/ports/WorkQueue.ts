import type { Causes } from './Causes.ts';
import type { KeyTrace } from './TraceContext.ts';
import type { WorkKey } from './WorkKey.ts';

/** A key to sync, at once or after a delay of at most `MAX_QUEUE_DELAY_MS`. For a longer delay, the receiver sends the key again (see KeyLocks' `wakeAtMs`). */
export interface KeyToSend {
  readonly key: WorkKey;
  readonly delayMs?: number;
  /** The changes for which alone the key is sent. Absent: it is sent for another reason as well, or nobody knows. */
  readonly causes?: Causes;
  /** The traces to which the sync of the key will belong. A queue that must drop some keeps those of the oldest writes. */
  readonly traces?: readonly KeyTrace[];
}

/** SQS's longest delay: 15 minutes. */
export const MAX_QUEUE_DELAY_MS = 900_000;

/** A message as a worker receives it. Unless it is acknowledged, hidden or buried, it comes again after the queue's visibility timeout. */
export interface ReceivedMessage {
  readonly key: WorkKey;
  /** Identifies this receipt; only the queue understands it. */
  readonly receipt: string;
  /** The time at which the message was sent, plus its delay; milliseconds since the epoch, by the queue's clock. */
  readonly dueAtMs: number;
  /** A time by the queue's clock that is not after this receipt, and not before the first receipt or `dueAtMs`. */
  readonly receivedAtMs: number;
  /** The number of times the message was received, this time included. */
  readonly receiveCount: number;
  /** As it was sent. */
  readonly causes?: Causes;
  /** The same. */
  readonly traces?: readonly KeyTrace[];
}

/**
 * A standard queue of keys: delivery at least once, in any order. It may hold several messages for a key, and a message that is hidden for its backoff
 * does not delay the others of its key. Adapters may merge waiting messages of one key. The composition receives and acknowledges
 * messages: Lambda's event source mapping, or the local pump.
 */
export interface WorkQueue {
  /** Resolves when every key is in the queue. If it throws, some keys may be in the queue. */
  send(keys: readonly KeyToSend[]): Promise<void>;
  /**
   * Delivers the message again `delayMs` from now (0: at once), and not after the visibility timeout. `gone`: that timeout has passed already, so nothing was changed: another worker may have the message now, or
   * have deleted it.
   */
  hide(message: ReceivedMessage, delayMs: number): Promise<'hidden' | 'gone'>;
  /** Puts the message's key into the dead-letter queue, from which an operator may redrive it. The caller then acknowledges the message. */
  bury(message: ReceivedMessage, why: string): Promise<void>;
}
