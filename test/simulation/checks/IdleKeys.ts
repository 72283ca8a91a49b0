import { WORK_QUEUE } from '../../../infra/topology.ts';
import type { KeyItem } from '../../../lambdas/ports/KeyLocks.ts';
import { encodeWorkKey, type WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import type { FaultPlan } from '../FaultPlan.ts';
import { formatMs } from '../Gate.ts';
import type { Scheduler } from '../Scheduler.ts';
import type { SimulatedQueue } from '../SimulatedQueue.ts';

interface KeyState {
  /** How many functions have a message of the key at hand. */
  handling: number;
  isLocked: boolean;
  /** When the last sync or check of the key took its lock. */
  acquiredMs: number;
  releasedMs: number;
  failures: number;
}

/** Requests take up to 40 ms each, messages up to 3 s, and clocks differ by up to 2 s. */
const LENIENCY_MS = 8_000;
const CLOCKS_DIFFER_MS = 2_000;

/**
 * A key with work to do is not left alone longer than its back-off. It is left alone when a message that came due after the last look at the key is hidden for longer, while nobody
 * holds the key's lock, no function has one of its messages, and no other message brings the key up sooner.
 *
 * Only judged while nothing goes wrong: a worker that died, or a request that was lost, may leave a message hidden until its visibility timeout. A deployment ends functions in any run: the messages that
 * they had received before come again after that timeout.
 */
export class IdleKeys {
  readonly #queue: Pick<SimulatedQueue, 'messagesOf'>;
  readonly #scheduler: Scheduler;
  readonly #faults: FaultPlan;
  readonly #onFailure: (failure: string) => void;
  readonly #keys = new Map<string, KeyState>();
  #functionsEndedMs = Number.NEGATIVE_INFINITY;

  constructor(
    parts: { readonly scheduler: Scheduler; readonly faults: FaultPlan },
    queue: Pick<SimulatedQueue, 'messagesOf'>,
    onFailure: (failure: string) => void,
  ) {
    this.#scheduler = parts.scheduler;
    this.#faults = parts.faults;
    this.#queue = queue;
    this.#onFailure = onFailure;
  }

  /** Every process ended: no lock is held and nothing is at hand. */
  clear(): void {
    this.#keys.clear();
  }

  /** A deployment ends all functions now. */
  onFunctionsEnd(): void {
    this.#functionsEndedMs = this.#scheduler.now();
  }

  onReceive(key: WorkKey): void {
    this.#stateOf(encodeWorkKey(key)).handling += 1;
  }

  onHandled(key: WorkKey): void {
    const encoded = encodeWorkKey(key);
    const state = this.#stateOf(encoded);
    state.handling = Math.max(0, state.handling - 1);
    this.#judge(encoded, state);
  }

  onAcquire(key: WorkKey): void {
    const state = this.#stateOf(encodeWorkKey(key));
    state.isLocked = true;
    state.acquiredMs = this.#scheduler.now();
  }

  /** A key's last message is deleted: since it was due, somebody has held the key's lock, and so has looked at the key. */
  onDelete(encoded: string, dueAtMs: number): void {
    const { isLocked, releasedMs } = this.#stateOf(encoded);
    if (!isLocked && releasedMs < dueAtMs - CLOCKS_DIFFER_MS)
      this.#onFailure(`the last message of ${encoded} is deleted, and nobody has looked at the key since it was due`);
  }

  onRelease(key: WorkKey, { failures }: KeyItem): void {
    const encoded = encodeWorkKey(key);
    const state = this.#stateOf(encoded);
    state.isLocked = false;
    state.releasedMs = this.#scheduler.now();
    state.failures = failures;
    this.#judge(encoded, state);
  }

  #judge(encoded: string, state: KeyState): void {
    const nowMs = this.#scheduler.now();
    if (nowMs < this.#faults.calmFromMs) return;
    if (state.isLocked || state.handling > 0) return;
    const { skewMs } = this.#faults.rates;
    const messages = this.#queue.messagesOf(encoded);
    const waiting = messages.filter(({ dueAtMs }) => dueAtMs <= nowMs && dueAtMs > state.acquiredMs + 2 * skewMs);
    if (waiting.length === 0) return;
    const visibleAtMs = Math.min(...messages.map((message) => message.visibleAtMs));
    const allowedMs = backoffMs(state.failures) + LENIENCY_MS;
    if (visibleAtMs - nowMs <= allowedMs) return;
    if (visibleAtMs - WORK_QUEUE.visibilityTimeoutMs <= this.#functionsEndedMs) return;
    this.#onFailure(
      `${encoded} has work to do since ${formatMs(waiting[0]?.dueAtMs ?? 0)}, its lock is free, and nobody looks at it before ${formatMs(visibleAtMs)}`,
    );
  }

  #stateOf(encoded: string): KeyState {
    const state = this.#keys.get(encoded) ?? {
      handling: 0,
      isLocked: false,
      acquiredMs: 0,
      releasedMs: 0,
      failures: 0,
    };
    this.#keys.set(encoded, state);
    return state;
  }
}

/** client-go's, computed here once more: 5 ms after the first failure, doubled with each further one, at most the 900 s of the queue. */
function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(5 * 2 ** (failures - 1), 900_000);
}
