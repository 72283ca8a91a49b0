import type { Intent, KeyItem, KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { AuditedKeyLocks } from './AuditedKeyLocks.ts';
import type { Gate } from './Gate.ts';
import { currentTrail } from './SyncTrail.ts';

/** The locks as one worker reaches them. */
export class GatedKeyLocks implements KeyLocks {
  readonly #locks: AuditedKeyLocks;
  readonly #gate: Gate;

  constructor(locks: AuditedKeyLocks, gate: Gate) {
    this.#locks = locks;
    this.#gate = gate;
  }

  acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number) {
    return this.#gate.call(`acquire ${encodeWorkKey(key)}`, () => this.#locks.acquire(key, holder, nowMs, untilMs));
  }

  recordIntent(key: WorkKey, holder: string, intent: Intent | undefined) {
    const what = intent ? `+${intent.count}-${intent.deletes.length}` : 'none';
    const trail = currentTrail.getStore();
    return this.#gate.call(`intent ${encodeWorkKey(key)} ${what}`, () =>
      this.#locks.recordIntent(key, holder, intent, trail),
    );
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
