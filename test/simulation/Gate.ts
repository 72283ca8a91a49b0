import type { Clock } from '../../lambdas/ports/Clock.ts';
import { type FaultPlan, WRONG_BY_MS } from './FaultPlan.ts';
import type { Random } from './Random.ts';
import type { Scheduler } from './Scheduler.ts';
import type { Trace } from './Trace.ts';

/** Longer than a lock lasts (45 s), and than a message stays hidden (90 s). */
const STALL_MS = [20_000, 150_000] as const;

const REPLICA_WRITE =
  /^\[(?:replica\w+\] (?:create|replace|remove) pods|deployment\] (?:create|replace) replicasets.apps) /;
const START_OF_RUN = /^\[cronjob\] create jobs.batch /;

/** What the gates of one run share. */
export interface GateParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: FaultPlan;
  readonly trace: Trace;
  readonly throttling: { untilMs: number };
  /** Requests that are delayed for long, by what they ask for: each takes effect once, at once if it is called. */
  readonly underWay: Map<string, () => Promise<void>>;
}

/** What a request answers when the service could not be reached, was too busy, or its answer was lost. */
export class TransientError extends Error {}

/** How one kind of caller is treated: clients see timeouts, but neither crash nor stall, since they are the script. */
export type Caller = 'worker' | 'client';

/**
 * Between one worker and all that is outside of it: every port call passes here, takes its time, and may go wrong. It is also the worker's clock, which may be off
 * and stands still while the worker does.
 */
export class Gate implements Clock {
  readonly name: string;
  readonly #parts: GateParts;
  readonly #caller: Caller;
  readonly #onDeath: () => void;
  #skewMs: number;
  #isDead = false;
  /** When the process ended. */
  diedAtMs: number | undefined;
  #frozenUntilMs = 0;
  /** What waits until the process is resumed; absent while it runs. */
  #suspended: (() => void)[] | undefined;

  constructor(name: string, parts: GateParts, caller: Caller, onDeath: () => void = () => {}) {
    this.name = name;
    this.#parts = parts;
    this.#caller = caller;
    this.#skewMs = this.#drawSkewMs();
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
      if (this.#suspended) {
        this.#suspended.push(fire);
        return;
      }
      const frozenMs = this.#frozenUntilMs - scheduler.now();
      if (frozenMs > 0) cancel = scheduler.setTimer(frozenMs, fire);
      else wake();
    };
    cancel = scheduler.setTimer(delayMs, fire);
    return () => cancel();
  }

  /**
   * Sends a request: on its way for some time, then `effect` at one instant, then its answer on the way back. Never resolves for a worker that died; its requests that are
   * under way still take effect.
   */
  async call<T>(what: string, effect: () => Promise<T>): Promise<T> {
    const { random, faults } = this.#parts;
    const { rates } = faults;
    if (this.#caller === 'worker') {
      if (this.#isDead || random.chance(rates.crash / 2)) return await this.#die(what);
      if (random.chance(rates.freeze)) this.#freeze();
      if (random.chance(rates.clockStep)) this.#skewMs = this.#drawSkewMs();
    }
    const reached = await this.#travel(what);
    const fault = this.#fault();
    if (fault === 'before') {
      reached();
      this.#trace(what, 'error');
      return await this.#answer(() => Promise.reject(new TransientError(`${what}: unavailable`)));
    }
    if (fault === 'late') {
      reached();
      this.#landLater(what, effect);
      return await this.#answer(() => Promise.reject(new TransientError(`${what}: timed out, and still under way`)));
    }
    const result = await effect().finally(reached);
    this.#trace(what, `${summaryOf(result)}${fault === 'after' ? ' (answer lost)' : ''}`);
    if (this.#caller === 'worker' && random.chance(rates.crash / 2)) return await this.#die(what);
    return await this.#answer(() =>
      fault === 'after' ? Promise.reject(new TransientError(`${what}: timed out`)) : Promise.resolve(result),
    );
  }

  /** Lets a request that is still under way take effect just before the one that comes now: the worst moment for what guards against it. */
  async landFirst(what: string): Promise<void> {
    const { underWay, random, faults } = this.#parts;
    const land = underWay.get(what);
    if (land && random.chance(faults.rates.landFirst)) await land();
  }

  /** The process stands still, as an idle function does, until it is resumed. */
  suspend(): void {
    this.#suspended ??= [];
  }

  resume(): void {
    const waiting = this.#suspended ?? [];
    this.#suspended = undefined;
    for (const go of waiting) go();
  }

  /** The process ends. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.diedAtMs = this.#parts.scheduler.now();
    this.#onDeath();
  }

  async #answer<T>(answer: () => Promise<T>): Promise<T> {
    const { random, scheduler } = this.#parts;
    if (random.chance(0.2)) await scheduler.wait(random.integer(0, 3));
    if (this.#isDead) return await never();
    await this.#thawed();
    return await answer();
  }

  /** Waits until the request reaches its service; the returned function says that it has taken effect. */
  async #travel(what: string): Promise<() => void> {
    const { random, faults, scheduler } = this.#parts;
    const { stall, stallReplica, stallRun } = faults.rates;
    const isStalled =
      this.#caller === 'worker' &&
      (random.chance(stall) ||
        (REPLICA_WRITE.test(what) && random.chance(stallReplica)) ||
        (START_OF_RUN.test(what) && random.chance(stallRun)));
    const frozenMs = Math.max(0, this.#frozenUntilMs - scheduler.now());
    const travelMs = random.chance(0.1) ? random.integer(1, 40) : random.integer(0, 2);
    if (!isStalled && frozenMs === 0) {
      await scheduler.wait(travelMs);
      return () => {};
    }
    const delayMs = frozenMs + (isStalled ? random.integer(...STALL_MS) : travelMs);
    this.#trace(what, `stalls for ${delayMs} ms`);
    return await this.#stall(what, delayMs);
  }

  /** A stalled request reaches its service when its time has come, or when it is made to land first. */
  async #stall(what: string, delayMs: number): Promise<() => void> {
    const { scheduler, underWay } = this.#parts;
    const asked = withoutWriter(what);
    let land = (): void => {};
    const landing = new Promise<void>((resolve) => {
      land = resolve;
    });
    let hasEffect = (): void => {};
    const effect = new Promise<void>((resolve) => {
      hasEffect = resolve;
    });
    const request = async () => {
      land();
      await effect;
    };
    underWay.set(asked, request);
    await Promise.race([scheduler.wait(delayMs), landing]);
    if (underWay.get(asked) === request) underWay.delete(asked);
    return hasEffect;
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
    const { random, scheduler, underWay } = this.#parts;
    this.#trace(what, 'is given up on, and still under way');
    const asked = withoutWriter(what);
    let hasLanded = false;
    const land = async () => {
      if (hasLanded) return;
      hasLanded = true;
      if (underWay.get(asked) === land) underWay.delete(asked);
      await effect().then(
        (result) => this.#trace(what, `lands late: ${summaryOf(result)}`),
        (error: unknown) => this.#trace(what, `lands late: ${String(error)}`),
      );
    };
    underWay.set(asked, land);
    scheduler.after(random.pick([random.integer(1, 500), random.integer(...STALL_MS)]), () => void land());
  }

  #drawSkewMs(): number {
    const { random, faults } = this.#parts;
    const { skewMs, wrongClock } = faults.rates;
    if (wrongClock > 0 && random.chance(wrongClock)) return random.pick(WRONG_BY_MS);
    return Math.round((random.fraction() * 2 - 1) * skewMs);
  }

  #freeze(): void {
    const { random, scheduler } = this.#parts;
    const forMs = random.integer(...STALL_MS);
    this.#frozenUntilMs = scheduler.now() + forMs;
    this.#trace('stands still', `for ${forMs} ms`);
  }

  async #thawed(): Promise<void> {
    const frozenMs = this.#frozenUntilMs - this.#parts.scheduler.now();
    if (frozenMs > 0) await this.#parts.scheduler.wait(frozenMs);
    while (this.#suspended) await new Promise<void>((resolve) => this.#suspended?.push(resolve));
  }

  #die(what: string): Promise<never> {
    if (!this.#isDead) {
      this.#trace('dies', `at ${what}`);
      this.kill();
    }
    return never();
  }

  #trace(what: string, how: string): void {
    const { trace, scheduler } = this.#parts;
    trace.add(`${formatMs(scheduler.now())} ${this.name} ${what}: ${how}`);
  }
}

/** The simulated time of day with milliseconds, without the cost of a date: each line of a trace begins with it. */
export function formatMs(epochMs: number): string {
  const ms = epochMs % 86_400_000;
  const two = (value: number) => (value < 10 ? `0${value}` : String(value));
  const thousandths = ms % 1000;
  const padded = thousandths < 100 ? `0${two(thousandths)}` : String(thousandths);
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${padded}`;
}

/** `create pods a/web` of `[replicaset] create pods a/web`. */
function withoutWriter(what: string): string {
  return what.replace(/^\[\w+\] /, '');
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
