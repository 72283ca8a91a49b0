/** A deliberate defect, to see that plans find it: the controller writes over what it has not read; no resync looks for what was not observed; or a message is deleted before its sync. */
export type Defect = 'writesBlindly' | 'neverResyncs' | 'acknowledgesFirst';

/**
 * What goes wrong once for the controller under test, after Sieve: its nth read is answered as before the last change that concerns it; its nth change that has keys is never shown to it; or its process dies when the nth
 * write has arrived and before it learns of that.
 */
export interface Plan {
  readonly what: 'oldRead' | 'unobserved' | 'killed';
  /** Counts from 1, and begins with what the story's change brings about. */
  readonly nth: number;
}
