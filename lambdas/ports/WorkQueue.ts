import type { WorkKey } from './WorkKey.ts';

/** A key to look at, at once or after a delay of up to `MAX_QUEUE_DELAY_MS`; who needs longer sends it on (see KeyLocks' `wakeAt`). */
export interface KeyToSend {
  readonly key: WorkKey;
  readonly delayMs?: number;
}

/** SQS's longest delay: 15 minutes. */
export const MAX_QUEUE_DELAY_MS = 900_000;

/** A message as a worker gets it. Until it is acknowledged, hidden or buried, it comes again after the queue's visibility timeout. */
export interface ReceivedMessage {
  readonly key: WorkKey;
  /** Names this receipt; of no meaning to anyone but the queue. */
  readonly receipt: string;
  /** When the message was sent, plus its delay; milliseconds since the epoch, by the sender's clock. */
  readonly dueAtMs: number;
  /** How often it was received, this time included. */
  readonly receiveCount: number;
}

/**
 * A standard queue of keys: at least once, in any order. A key may stand in it more than once, and a message hidden for its backoff keeps none of
 * its key's other messages waiting. Adapters may merge waiting messages of one key. How messages are received and acknowledged is the
 * composition's: Lambda's event source mapping, or the local pump.
 */
export interface WorkQueue {
  /** Resolves when every key is in the queue. If it throws, some may be. */
  send(keys: readonly KeyToSend[]): Promise<void>;
  /** Makes the message come again after `delayMs` from now (0: at once), instead of after the visibility timeout. */
  hide(message: ReceivedMessage, delayMs: number): Promise<void>;
  /** Puts the message's key into the dead-letter queue, from which an operator may redrive it; the caller then acknowledges the message. */
  bury(message: ReceivedMessage, why: string): Promise<void>;
}
