import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DeployedFunction } from '../template/readFunctions.ts';

/** What all environments of an emulation share. */
export interface Surroundings {
  /** functionWorker, bundled. */
  readonly workerPath: string;
  readonly stsPort: number;
  /** Region, credentials and endpoints: what Lambda adds to each function's own variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Each line that a function logs. */
  readonly onLog: (functionName: string, text: string) => void;
}

export type Invocation =
  /** JSON; absent for a streamed answer. */
  | { readonly status: 'returned'; readonly result?: string }
  | { readonly status: 'failed'; readonly failure: FunctionFailure };

/** Takes a streamed answer's chunks, each when the one before has been passed on. */
export type TakeChunk = (bytes: Uint8Array) => Promise<void>;

/** The least that V8 needs besides a bundle's own data; Lambda's smallest functions would not start a second V8 in this process. */
const LEAST_HEAP_MB = 128;

/** One execution environment: it takes one invocation at a time, keeps what the bundle keeps between them, and is no more after a timeout. */
export class ExecutionEnvironment {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #heard: (message: FromEnvironment) => void = () => {};
  #isDead = false;

  private constructor(spec: DeployedFunction, { workerPath, stsPort, variables, onLog }: Surroundings) {
    const [file = 'index', handlerName = 'handler'] = spec.handler.split('.');
    const startup: Startup = {
      modulePath: bundlePath(spec.directory, file),
      handlerName,
      functionName: spec.name,
      functionArn: spec.arn,
      memoryMb: spec.memoryMb,
      stsPort,
    };
    this.#timeoutMs = spec.timeoutMs;
    this.#worker = new Worker(workerPath, {
      workerData: startup,
      env: { ...variables, ...spec.environment, AWS_LAMBDA_FUNCTION_NAME: spec.name },
      // Not this process's own: a loader of TypeScript has no business there.
      execArgv: ['--enable-source-maps'],
      resourceLimits: { maxOldGenerationSizeMb: Math.max(spec.memoryMb, LEAST_HEAP_MB) },
      stdout: true,
      stderr: true,
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.on('data', (chunk: Buffer) => onLog(spec.name, chunk.toString()));
    }
    this.#worker.on('message', (message: FromEnvironment) => this.#heard(message));
    this.#worker.once('error', (error) => this.#end('Runtime.ExitError', error.message));
    this.#worker.once('exit', (code) => this.#end('Runtime.ExitError', `the runtime exited with ${code}`));
  }

  /** Resolves when the bundle is loaded; rejects if it cannot be. */
  static async start(spec: DeployedFunction, surroundings: Surroundings): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(spec, surroundings);
    await new Promise<void>((resolve, reject) => {
      environment.#heard = (message) => {
        if (message.type === 'ready') resolve();
        if (message.type === 'failed') reject(new Error(`${spec.logicalId}: ${message.failure.errorMessage}`));
      };
    });
    environment.#heard = () => {};
    return environment;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Never rejects. What takes longer than the function's timeout ends with the environment. */
  invoke(event: string, takeChunk: TakeChunk): Promise<Invocation> {
    return new Promise((resolve) => {
      const end = (invocation: Invocation) => {
        clearTimeout(timer);
        this.#heard = () => {};
        resolve(invocation);
      };
      const timer = setTimeout(() => {
        this.#end('Sandbox.Timedout', `Task timed out after ${(this.#timeoutMs / 1000).toFixed(2)} seconds`);
      }, this.#timeoutMs);
      this.#heard = (message) => {
        if (message.type === 'chunk') void this.#pass(message.bytes, takeChunk);
        if (message.type === 'returned') end({ ...message, status: 'returned' });
        if (message.type === 'failed') end({ status: 'failed', failure: message.failure });
      };
      this.#tell({ type: 'invoke', requestId: randomUUID(), event, deadlineMs: Date.now() + this.#timeoutMs });
    });
  }

  /** Ends it, and the invocation that may be under way. */
  async terminate(): Promise<void> {
    this.#end('Runtime.ExitError', 'the environment was ended');
    await this.#worker.terminate();
  }

  async #pass(bytes: Uint8Array, takeChunk: TakeChunk): Promise<void> {
    await takeChunk(bytes).catch(() => {});
    this.#tell({ type: 'taken' });
  }

  #tell(message: ToEnvironment): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
    if (!this.#isDead) this.#worker.postMessage(message);
  }

  #end(errorType: string, errorMessage: string): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#heard({ type: 'failed', failure: { errorType, errorMessage } });
    void this.#worker.terminate();
  }
}

/** As Lambda looks for it: `.mjs` is ESM whatever surrounds it. */
function bundlePath(directory: string, file: string): string {
  const path = ['mjs', 'js', 'cjs'].map((extension) => join(directory, `${file}.${extension}`)).find(existsSync);
  if (path === undefined) throw new Error(`${directory} holds no ${file}.mjs`);
  return path;
}

/** What an environment and the emulation tell each other. Events and results are JSON texts, as Lambda passes them. */

export interface Startup {
  /** The bundle, and the name under which it exports its handler. */
  readonly modulePath: string;
  readonly handlerName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** Where connections to STS go instead. */
  readonly stsPort: number;
}

export type ToEnvironment =
  | { readonly type: 'invoke'; readonly requestId: string; readonly event: string; readonly deadlineMs: number }
  /** The last chunk has been passed on: the next may come. */
  | { readonly type: 'taken' };

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type FromEnvironment =
  /** The bundle has been loaded. */
  | { readonly type: 'ready' }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  /** The end of an invocation; `result` is absent for a streamed answer. */
  | { readonly type: 'returned'; readonly result?: string }
  | { readonly type: 'failed'; readonly failure: FunctionFailure };
