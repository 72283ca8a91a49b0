import { ExecutionEnvironment, type Invocation, type SharedParts, type TakeChunk } from './ExecutionEnvironment.ts';
import type { AccountConcurrency } from './AccountConcurrency.ts';
import type { DeployedFunction } from '../template/readFunctions.ts';

/** What Lambda would bill for one invocation. */
export interface BilledInvocation {
  readonly functionName: string;
  readonly memoryMb: number;
  readonly durationMs: number;
  /** The size of a streamed answer. */
  readonly streamedBytes: number;
}

export interface EmulatedFunctionOptions {
  readonly spec: DeployedFunction;
  readonly sharedParts: SharedParts;
  /** The account's quota. What exceeds it is throttled. */
  readonly concurrency: AccountConcurrency;
  /** The most environments that this machine can hold. When all are busy, an invocation waits, and is throttled after a while. */
  readonly maxEnvironments: number;
  readonly onBilled: (invocation: BilledInvocation) => void;
}

export type InvokeOutcome = Invocation | { readonly status: 'throttled' };

const NO_CHUNKS: TakeChunk = () => Promise.reject(new Error('no one reads this streamed answer'));
const THROTTLE_AFTER_MS = 10_000;

/** A function and its execution environments. It keeps one idle environment ready, so that few invocations wait for a start. */
export class EmulatedFunction {
  #spec: DeployedFunction;
  #sharedParts: SharedParts;
  readonly #options: EmulatedFunctionOptions;
  /** Environments of code that an update has replaced: each ends with what it is doing. */
  readonly #retired = new WeakSet<ExecutionEnvironment>();
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #waiting: ((environment: ExecutionEnvironment | undefined) => void)[] = [];
  #starting = 0;
  #isClosed = false;

  constructor(options: EmulatedFunctionOptions) {
    this.#options = options;
    this.#spec = options.spec;
    this.#sharedParts = options.sharedParts;
  }

  /** What is deployed now. */
  get spec(): DeployedFunction {
    return this.#spec;
  }

  /** Resolves when an environment is ready; rejects if the bundle cannot be loaded. */
  async warm(): Promise<void> {
    await this.#start();
  }

  /** Replaces the code and the configuration. Invocations that are under way end with the old ones. Rejects if the new bundle cannot be loaded; then the old one stays. */
  async update(spec: DeployedFunction, variables: SharedParts['variables']): Promise<void> {
    const sharedParts = { ...this.#sharedParts, variables };
    const environment = await ExecutionEnvironment.start(spec, sharedParts);
    for (const old of this.#all) this.#retired.add(old);
    [this.#spec, this.#sharedParts] = [spec, sharedParts];
    for (const idle of this.#idle.splice(0)) this.#endRetired(idle);
    this.#all.add(environment);
    this.#release(environment);
  }

  #endRetired(environment: ExecutionEnvironment): void {
    this.#all.delete(environment);
    void environment.terminate();
  }

  /**
   * Invokes the function with a JSON event. Aborting `abandoned` says that the streamed answer is no longer read: as in Lambda, the function is not told, its
   * writes succeed, and it runs to its end and is billed for it. A closed function throttles. Never rejects.
   */
  async invoke(event: string, takeChunk = NO_CHUNKS, abandoned?: AbortSignal): Promise<InvokeOutcome> {
    const { concurrency } = this.#options;
    if (!concurrency.begin(this.spec.name)) return { status: 'throttled' };
    try {
      return await this.#run(event, (bytes) => (abandoned?.aborted ? Promise.resolve() : takeChunk(bytes)));
    } finally {
      concurrency.end(this.spec.name);
    }
  }

  async #run(event: string, takeChunk: TakeChunk): Promise<InvokeOutcome> {
    const environment = await this.#acquire();
    if (!environment) return { status: 'throttled' };
    const { onBilled } = this.#options;
    const { spec } = this;
    const begunMs = performance.now();
    let streamedBytes = 0;
    const invocation = await environment.invoke(event, (bytes) => {
      streamedBytes += bytes.length;
      return takeChunk(bytes);
    });
    const durationMs = performance.now() - begunMs;
    onBilled({ functionName: spec.logicalId, memoryMb: spec.memoryMb, durationMs, streamedBytes });
    this.#release(environment);
    return invocation;
  }

  /** Ends all invocations, also those that wait for an environment. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const take of this.#waiting.splice(0)) take(undefined);
    await Promise.all([...this.#all].map((environment) => environment.terminate()));
  }

  async #acquire(): Promise<ExecutionEnvironment | undefined> {
    const environment = this.#nextIdle() ?? (await this.#nextFree());
    if (this.#idle.length === 0) this.#startAnother();
    return environment;
  }

  /** Takes an idle environment. One that ended while it was idle would never answer. */
  #nextIdle(): ExecutionEnvironment | undefined {
    for (let environment = this.#idle.pop(); environment; environment = this.#idle.pop()) {
      if (!environment.isDead) return environment;
      this.#all.delete(environment);
    }
    return undefined;
  }

  #nextFree(): Promise<ExecutionEnvironment | undefined> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve(undefined);
      const take = (environment: ExecutionEnvironment | undefined) => {
        clearTimeout(timer);
        resolve(environment);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(undefined);
      }, THROTTLE_AFTER_MS);
      this.#waiting.push(take);
      this.#startAnother();
    });
  }

  #startAnother(): void {
    if (this.#starting > 0 || this.#all.size >= this.#options.maxEnvironments || this.#isClosed) return;
    this.#start().catch((error: unknown) => {
      this.#sharedParts.onLog(this.spec.name, `${JSON.stringify({ level: 'ERROR', message: String(error) })}\n`);
    });
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    try {
      const { spec } = this;
      const environment = await ExecutionEnvironment.start(spec, this.#sharedParts);
      if (this.#isClosed || spec !== this.spec) return await environment.terminate();
      this.#all.add(environment);
      this.#release(environment);
    } finally {
      this.#starting -= 1;
    }
    // The invocations that still wait need further environments.
    if (this.#waiting.length > 0) this.#startAnother();
  }

  #release(environment: ExecutionEnvironment): void {
    if (this.#retired.has(environment)) this.#endRetired(environment);
    if (environment.isDead) {
      this.#all.delete(environment);
      if (this.#waiting.length > 0 || this.#idle.length === 0) this.#startAnother();
      return;
    }
    const next = this.#waiting.shift();
    if (next) next(environment);
    else this.#idle.push(environment);
  }
}
