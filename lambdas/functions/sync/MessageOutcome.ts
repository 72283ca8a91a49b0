import type { ReceivedMessage } from '../../ports/WorkQueue.ts';

/** What becomes of a message: deleted, or kept in the queue, from which it comes again after its backoff or the visibility timeout. */
export interface MessageOutcome {
  readonly message: ReceivedMessage;
  readonly outcome: 'acknowledge' | 'keep';
}
