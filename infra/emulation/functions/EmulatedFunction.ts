import { ExecutionEnvironment, type Invocation, type Surroundings, type TakeChunk } from './ExecutionEnvironment.ts';
import type { DeployedFunction } from '../template/readFunctions.ts';

/** What Lambda would bill of one invocation. */
export interface BilledInvocation {
  readonly functionName: string;
  readonly memoryMb: number;
  readonly durationMs: number;
  /** Bytes of a streamed answer. */
  readonly streamedBytes: number;
}

export interface EmulatedFunctionOptions {
  readonly spec: DeployedFunction;
  readonly surroundings: Surroundings;
  /** No more than this many environments at a time, as far as this machine goes: who comes when all are busy is throttled. */
  readonly maxEnvironments: number;
  readonly onBilled: (invocation: BilledInvocation) => void;
}

export type InvokeOutcome = Invocation | { readonly status: 'throttled' };

const NO_CHUNKS: TakeChunk = () => Promise.reject(new Error('nobody reads a streamed answer'));
const THROTTLE_AFTER_MS = 10_000;

/** A function and its execution environments. One is kept ready beyond those that are busy, so that few invocations wait for a start. */
export class EmulatedFunction {
  readonly spec: DeployedFunction;
  readonly #options: EmulatedFunctionOptions;
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  #starting = 0;
  #isClosed = false;

  constructor(options: EmulatedFunctionOptions) {
    this.#options = options;
    this.spec = options.spec;
  }

  /** Resolves when an environment is ready; rejects if the bundle cannot be loaded. */
  async warm(): Promise<void> {
    await this.#start();
  }

  /**
   * Invokes with JSON. `abandon`, when aborted, ends the environment: nobody reads its streamed answer any more. (In the cloud it would run on until its
   * own end.) Never rejects.
   */
  async invoke(event: string, takeChunk = NO_CHUNKS, abandon?: AbortSignal): Promise<InvokeOutcome> {
    const environment = await this.#take();
    if (!environment) return { status: 'throttled' };
    const { spec, onBilled } = this.#options;
    const begunMs = performance.now();
    let streamedBytes = 0;
    const leave = () => void environment.terminate();
    abandon?.addEventListener('abort', leave, { once: true });
    const invocation = await environment.invoke(event, (bytes) => {
      streamedBytes += bytes.length;
      return takeChunk(bytes);
    });
    abandon?.removeEventListener('abort', leave);
    const durationMs = performance.now() - begunMs;
    onBilled({ functionName: spec.logicalId, memoryMb: spec.memoryMb, durationMs, streamedBytes });
    this.#giveBack(environment);
    return invocation;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((environment) => environment.terminate()));
  }

  async #take(): Promise<ExecutionEnvironment | undefined> {
    const environment = this.#idle.pop() ?? (await this.#nextFree());
    if (this.#idle.length === 0) this.#startAnother();
    return environment;
  }

  #nextFree(): Promise<ExecutionEnvironment | undefined> {
    return new Promise((resolve) => {
      const take = (environment: ExecutionEnvironment) => {
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
      const { spec, surroundings } = this.#options;
      surroundings.onLog(spec.name, `${JSON.stringify({ level: 'ERROR', message: String(error) })}\n`);
    });
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    try {
      const environment = await ExecutionEnvironment.start(this.#options.spec, this.#options.surroundings);
      if (this.#isClosed) return await environment.terminate();
      this.#all.add(environment);
      this.#giveBack(environment);
    } finally {
      this.#starting -= 1;
    }
    // Those who still wait need more than this one.
    if (this.#waiting.length > 0) this.#startAnother();
  }

  #giveBack(environment: ExecutionEnvironment): void {
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
