import type { Random } from '../../simulation/Random.ts';
import type { Scheduler } from '../../simulation/Scheduler.ts';
import { drawRecordsMs, invocationMs, type Latencies, recordCount } from '../publishedLatencies.ts';
import { drawMs, type Spread } from '../Spread.ts';

/** One execution environment of a function: a process that stands still between its invocations. */
export interface Instance {
  readonly name: string;
  /** Handles one event at a time. Never resolves once the instance has died. */
  handle(event: unknown): Promise<unknown>;
  /** The process ends at once. Requests that it has sent still take effect. */
  kill(): void;
  /** Its timers and the answers to its requests wait until it is thawed. */
  freeze(): void;
  thaw(): void;
}

export interface FunctionOptions {
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Its instances take the time for computing what its records ask for themselves. */
  readonly computesApart?: boolean;
  /** Starts an instance. `onDeath` is called if it dies by itself. */
  readonly start: (name: string, onDeath: () => void) => Instance;
}

export type InvokeOutcome =
  | { readonly status: 'returned'; readonly result: unknown }
  /** It threw, died or did not end in time. */
  | { readonly status: 'failed'; readonly why: string }
  /** The account's concurrency is used up. */
  | { readonly status: 'throttled' };

export interface BilledInvocation {
  readonly functionName: string;
  readonly memoryMb: number;
  readonly durationMs: number;
}

/** What the functions of one account share. */
export interface AccountParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly account: { readonly concurrencyLimit: number; inUse: number };
  readonly coldStartMs: Spread;
  /** How long functions compute. Absent: no time. */
  readonly latencies?: Latencies | undefined;
  readonly onInvocation: (invocation: BilledInvocation) => void;
  /** Called for invocations that the account's limit refuses. */
  readonly onThrottled: (functionName: string) => void;
}

/** An idle instance is ended after this time. Lambda promises nothing; others have seen five to seven minutes (https://mikhail.io/serverless/coldstarts/aws/intervals/, read on 2026-11-27). */
const IDLE_MS = 6 * 60_000;

interface Idle {
  readonly instance: Instance;
  readonly sinceMs: number;
}

/** A Lambda function: its instances serve one invocation at a time, are reused, and freeze in between. */
export class FunctionModel {
  readonly options: FunctionOptions;
  readonly #parts: AccountParts;
  #idle: Idle[] = [];
  readonly #busy = new Map<Instance, (why: string) => void>();
  #started = 0;

  constructor(options: FunctionOptions, parts: AccountParts) {
    this.options = options;
    this.#parts = parts;
  }

  get busyCount(): number {
    return this.#busy.size;
  }

  async invoke(event: unknown): Promise<InvokeOutcome> {
    const { account, onThrottled, scheduler } = this.#parts;
    if (account.inUse >= account.concurrencyLimit) {
      onThrottled(this.options.name);
      return { status: 'throttled' };
    }
    account.inUse += 1;
    const instance = this.#warm() ?? (await this.#coldStart());
    const beganMs = scheduler.now();
    const outcome = await this.#run(instance, event);
    account.inUse -= 1;
    const { name: functionName, memoryMb } = this.options;
    this.#parts.onInvocation({ functionName, memoryMb, durationMs: scheduler.now() - beganMs });
    return outcome;
  }

  /** Ends all instances, each when it has nothing to do, as a deployment of new code does. */
  retireAll(): void {
    for (const { instance } of this.#idle.splice(0)) instance.kill();
    for (const instance of this.#busy.keys()) this.#retired.add(instance);
  }

  /** Ends all instances, as the worst deployment would; those at work die in the middle of it. */
  killAll(): void {
    for (const { instance } of this.#idle.splice(0)) instance.kill();
    for (const [instance, fail] of this.#busy) {
      instance.kill();
      fail('killed');
    }
  }

  async #run(instance: Instance, event: unknown): Promise<InvokeOutcome> {
    const { timeoutMs } = this.options;
    instance.thaw();
    const outcome = await new Promise<InvokeOutcome>((resolve) => {
      const cancel = this.#parts.scheduler.setTimer(timeoutMs, () => end({ status: 'failed', why: 'timed out' }));
      const end = (ended: InvokeOutcome) => {
        cancel();
        resolve(ended);
      };
      this.#busy.set(instance, (why) => end({ status: 'failed', why }));
      this.#handle(instance, event).then(
        (result) => end({ status: 'returned', result }),
        (error: unknown) => end({ status: 'failed', why: String(error) }),
      );
    });
    this.#busy.delete(instance);
    const isOver = this.#retired.has(instance) || (outcome.status === 'failed' && outcome.why === 'timed out');
    if (isOver) instance.kill();
    else if (!this.#dead.has(instance)) this.#rest(instance);
    return outcome;
  }

  async #handle(instance: Instance, event: unknown): Promise<unknown> {
    const { latencies, scheduler, random } = this.#parts;
    if (latencies) {
      const recordsMs = this.options.computesApart ? 0 : drawRecordsMs(latencies, recordCount(event), random);
      await scheduler.wait(invocationMs(latencies, event) + recordsMs);
    }
    return await instance.handle(event);
  }

  readonly #dead = new WeakSet<Instance>();
  readonly #retired = new WeakSet<Instance>();

  #rest(instance: Instance): void {
    instance.freeze();
    this.#idle.push({ instance, sinceMs: this.#parts.scheduler.now() });
  }

  /** Returns the instance that has rested for the shortest time, and ends those that have rested for too long. */
  #warm(): Instance | undefined {
    const oldestMs = this.#parts.scheduler.now() - IDLE_MS;
    for (const { instance } of this.#idle.filter(({ sinceMs }) => sinceMs < oldestMs)) instance.kill();
    this.#idle = this.#idle.filter(({ instance, sinceMs }) => sinceMs >= oldestMs && !this.#dead.has(instance));
    return this.#idle.pop()?.instance;
  }

  async #coldStart(): Promise<Instance> {
    const { scheduler, random, coldStartMs } = this.#parts;
    this.#started += 1;
    const instance: Instance = this.options.start(`${this.options.name}-${this.#started}`, () => {
      this.#dead.add(instance);
      this.#busy.get(instance)?.('died');
    });
    await scheduler.wait(drawMs(coldStartMs, random));
    return instance;
  }
}
