import type { Intent, KeyItem, KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { Gate } from './Gate.ts';

/** The locks as one worker reaches them. */
export class GatedKeyLocks implements KeyLocks {
  readonly #locks: KeyLocks;
  readonly #gate: Gate;

  constructor(locks: KeyLocks, gate: Gate) {
    this.#locks = locks;
    this.#gate = gate;
  }

  acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number) {
    return this.#gate.call(`acquire ${encodeWorkKey(key)}`, () => this.#locks.acquire(key, holder, nowMs, untilMs));
  }

  recordIntent(key: WorkKey, holder: string, intent: Intent | undefined) {
    const what = intent ? `+${intent.count}-${intent.deletes.length}` : 'none';
    return this.#gate.call(`intent ${encodeWorkKey(key)} ${what}`, () => this.#locks.recordIntent(key, holder, intent));
  }

  release(key: WorkKey, holder: string, item: KeyItem, coveredMarks?: number) {
    return this.#gate.call(`release ${encodeWorkKey(key)}`, () => this.#locks.release(key, holder, item, coveredMarks));
  }

  overdue(beforeMs: number, limit: number) {
    return this.#gate.call('overdue', () => this.#locks.overdue(beforeMs, limit));
  }

  peek(key: WorkKey) {
    return this.#gate.call(`peek ${encodeWorkKey(key)}`, () => this.#locks.peek(key));
  }
}
