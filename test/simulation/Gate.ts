import type { Clock } from '../../lambdas/ports/Clock.ts';
import type { FaultPlan } from './FaultPlan.ts';
import type { Random } from './Random.ts';
import type { Scheduler } from './Scheduler.ts';
import type { Trace } from './Trace.ts';

/** Longer than a lock lasts (45 s), and than a message stays hidden (90 s). */
const STALL_MS = [20_000, 150_000] as const;

/** What the gates of one run share. */
export interface GateParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly trace: Trace;
  readonly throttling: { untilMs: number };
}

/** What a request answers when the service could not be reached, was too busy, or its answer was lost. */
export class TransientError extends Error {}

/** How one kind of caller is treated: clients are told of timeouts, but neither crash nor stall, since they are the script. */
export type Caller = 'worker' | 'client';

/**
 * Between one worker and all that is outside of it: every port call passes here, takes its time, and may go wrong. It is also the worker's clock, which may be off
 * and stands still while the worker does.
 */
export class Gate implements Clock {
  readonly name: string;
  readonly #parts: GateParts;
  readonly #caller: Caller;
  readonly #skewMs: number;
  readonly #onDeath: () => void;
  #isDead = false;
  #frozenUntilMs = 0;

  constructor(name: string, parts: GateParts, caller: Caller, onDeath: () => void = () => {}) {
    const { skewMs } = parts.faults.rates;
    this.name = name;
    this.#parts = parts;
    this.#caller = caller;
    this.#skewMs = Math.round((parts.random.fraction() * 2 - 1) * skewMs);
    this.#onDeath = onDeath;
  }

  now(): number {
    return this.#parts.scheduler.now() + this.#skewMs;
  }

  steadyMs(): number {
    return this.#parts.scheduler.now();
  }

  setTimer(delayMs: number, wake: () => void): () => void {
    const { scheduler } = this.#parts;
    let cancel = () => {};
    const fire = () => {
      if (this.#isDead) return;
      const frozenMs = this.#frozenUntilMs - scheduler.now();
      if (frozenMs > 0) cancel = scheduler.setTimer(frozenMs, fire);
      else wake();
    };
    cancel = scheduler.setTimer(delayMs, fire);
    return () => cancel();
  }

  /**
   * Sends a request: on its way for some time, then `effect` at one instant, then its answer on the way back. Never resolves for a worker that died; a request of its
   * that is under way still lands.
   */
  async call<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const { random, faults, scheduler } = this.#parts;
    const { rates } = faults;
    if (this.#caller === 'worker') {
      if (this.#isDead || random.chance(rates.crash / 2)) return await this.#die(what);
      if (random.chance(rates.freeze)) this.#freeze();
    }
    await this.#thawed();
    await scheduler.wait(this.#travelMs(what));
    const fault = this.#fault();
    if (fault === 'before') {
      this.#tell(what, 'error');
      return await this.#answer(() => Promise.reject(new TransientError(`${what}: unavailable`)));
    }
    if (fault === 'late') {
      this.#landLater(what, effect);
      return await this.#answer(() => Promise.reject(new TransientError(`${what}: timed out, and still under way`)));
    }
    const result = await effect();
    this.#tell(what, `${summaryOf(result)}${fault === 'after' ? ' (answer lost)' : ''}`);
    if (this.#caller === 'worker' && random.chance(rates.crash / 2)) return await this.#die(what);
    return await this.#answer(() =>
      fault === 'after' ? Promise.reject(new TransientError(`${what}: timed out`)) : Promise.resolve(result),
    );
  }

  async #answer<T>(answer: () => Promise<T>): Promise<T> {
    const { random, scheduler } = this.#parts;
    if (random.chance(0.2)) await scheduler.wait(random.integer(0, 3));
    if (this.#isDead) return await never();
    await this.#thawed();
    return await answer();
  }

  #travelMs(what: string): number {
    const { random, faults } = this.#parts;
    if (this.#caller === 'worker' && random.chance(faults.rates.stall)) {
      const delayMs = random.integer(...STALL_MS);
      this.#tell(what, `stalls for ${delayMs} ms`);
      return delayMs;
    }
    return random.chance(0.1) ? random.integer(1, 40) : random.integer(0, 2);
  }

  #fault(): 'before' | 'late' | 'after' | undefined {
    const { random, faults, throttling, scheduler } = this.#parts;
    const { errorBefore, errorAfter, errorLate, clientTimeout, throttle } = faults.rates;
    if (this.#caller === 'client') return random.chance(clientTimeout) ? 'after' : undefined;
    if (random.chance(throttle)) throttling.untilMs = scheduler.now() + random.integer(10, 2000);
    if (scheduler.now() < throttling.untilMs && throttle > 0 && random.chance(0.5)) return 'before';
    if (random.chance(errorBefore)) return 'before';
    if (random.chance(errorLate)) return 'late';
    return random.chance(errorAfter) ? 'after' : undefined;
  }

  #landLater(what: string, effect: () => Promise<unknown>): void {
    const { random, scheduler } = this.#parts;
    this.#tell(what, 'is given up on, and still under way');
    scheduler.after(random.pick([random.integer(1, 500), random.integer(...STALL_MS)]), () => {
      effect().then(
        (result) => this.#tell(what, `lands late: ${summaryOf(result)}`),
        (error: unknown) => this.#tell(what, `lands late: ${String(error)}`),
      );
    });
  }

  #freeze(): void {
    const { random, scheduler } = this.#parts;
    const forMs = random.integer(...STALL_MS);
    this.#frozenUntilMs = scheduler.now() + forMs;
    this.#tell('stands still', `for ${forMs} ms`);
  }

  async #thawed(): Promise<void> {
    const frozenMs = this.#frozenUntilMs - this.#parts.scheduler.now();
    if (frozenMs > 0) await this.#parts.scheduler.wait(frozenMs);
  }

  #die(what: string): Promise<never> {
    if (!this.#isDead) {
      this.#isDead = true;
      this.#tell('dies', `at ${what}`);
      this.#onDeath();
    }
    return never();
  }

  #tell(what: string, how: string): void {
    const { trace, scheduler } = this.#parts;
    trace.add(`${formatMs(scheduler.now())} ${this.name} ${what}: ${how}`);
  }
}

/** The simulated time of day with milliseconds. */
export function formatMs(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(11, 23);
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function summaryOf(result: unknown): string {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null) return 'none';
  if ('items' in result) return `${(result.items as unknown[]).length} items`;
  const status = 'status' in result && typeof result.status === 'string' ? result.status : 'found';
  const object = 'object' in result ? result.object : result;
  const version = (object as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion;
  return version === undefined ? status : `${status} @${version}`;
}
