import type { KeyItem } from '../../ports/KeyLocks.ts';

/** The lock of one key, as the worker that holds it knows it. */
export interface HeldLock {
  readonly holder: string;
  /** No write may begin that could end later. */
  readonly deadlineMs: number;
  readonly untilMs: number;
  /** The key's item when the lock was acquired. */
  readonly item: KeyItem;
}
