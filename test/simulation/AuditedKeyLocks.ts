import type { Intent, KeyItem, KeyLocks } from '../../lambdas/ports/KeyLocks.ts';
import type { WorkKey } from '../../lambdas/ports/WorkKey.ts';
import type { SyncTrail } from './SyncTrail.ts';

export interface LockObserver {
  onIntent(trail: SyncTrail | undefined, intent: Intent): void;
  onAcquire(key: WorkKey): void;
  onRelease(key: WorkKey, item: KeyItem): void;
}

/** The locks that all workers share, with an observer of what takes effect. */
export class AuditedKeyLocks {
  #locks: KeyLocks;
  readonly #observer: LockObserver;

  constructor(locks: KeyLocks, observer: LockObserver) {
    this.#locks = locks;
    this.#observer = observer;
  }

  /** Goes on with locks that were opened anew after a restart. */
  reopen(locks: KeyLocks): void {
    this.#locks = locks;
  }

  async acquire(key: WorkKey, holder: string, nowMs: number, untilMs: number) {
    const outcome = await this.#locks.acquire(key, holder, nowMs, untilMs);
    if (outcome.status === 'acquired') this.#observer.onAcquire(key);
    return outcome;
  }

  async recordIntent(key: WorkKey, holder: string, intent: Intent | undefined, trail: SyncTrail | undefined) {
    const outcome = await this.#locks.recordIntent(key, holder, intent);
    if (intent && outcome === 'recorded') this.#observer.onIntent(trail, intent);
    return outcome;
  }

  async release(key: WorkKey, holder: string, item: KeyItem, coveredMarks?: number) {
    const outcome = await this.#locks.release(key, holder, item, coveredMarks);
    if (outcome.status === 'released') this.#observer.onRelease(key, item);
    return outcome;
  }

  overdue(beforeMs: number, limit: number) {
    return this.#locks.overdue(beforeMs, limit);
  }

  peek(key: WorkKey) {
    return this.#locks.peek(key);
  }
}
