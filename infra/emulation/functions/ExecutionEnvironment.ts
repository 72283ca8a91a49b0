import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DeployedFunction } from '../template/readFunctions.ts';

/** What all environments of an emulation share. */
export interface SharedParts {
  /** The path of the bundled functionWorker. */
  readonly workerPath: string;
  readonly stsPort: number;
  /** The environment variables that Lambda adds to a function's own: region, credentials and endpoints. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each line that a function logs. */
  readonly onLog: (functionName: string, text: string) => void;
}

export type Invocation =
  /** The result is JSON; it is absent for a streamed answer. */
  | { readonly status: 'returned'; readonly result?: string }
  | { readonly status: 'failed'; readonly failure: FunctionFailure };

/** Takes one chunk of a streamed answer. The next chunk comes when the promise has resolved. */
export type TakeChunk = (bytes: Uint8Array) => Promise<void>;

/** V8's minimum for a worker thread. With the memory of Lambda's smallest functions, a second V8 in this process would not start. */
const LEAST_HEAP_MB = 128;

/** One execution environment. It runs one invocation at a time, keeps the bundle's state between invocations, and ends after a timeout. */
export class ExecutionEnvironment {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #onMessage: (message: FromEnvironment) => void = () => {};
  #isDead = false;

  private constructor(spec: DeployedFunction, { workerPath, stsPort, variables, onLog }: SharedParts) {
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
      // This process's own arguments may load TypeScript, which the bundles do not need.
      execArgv: ['--enable-source-maps'],
      resourceLimits: { maxOldGenerationSizeMb: Math.max(spec.memoryMb, LEAST_HEAP_MB) },
      stdout: true,
      stderr: true,
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      stream.on('data', (chunk: Buffer) => onLog(spec.name, chunk.toString()));
    }
    this.#worker.on('message', (message: FromEnvironment) => this.#onMessage(message));
    this.#worker.once('error', (error) => this.#end('Runtime.ExitError', error.message));
    this.#worker.once('exit', (code) => this.#end('Runtime.ExitError', `the runtime exited with ${code}`));
  }

  /** Resolves when the bundle is loaded; rejects if it cannot be. */
  static async start(spec: DeployedFunction, sharedParts: SharedParts): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(spec, sharedParts);
    await new Promise<void>((resolve, reject) => {
      environment.#onMessage = (message) => {
        if (message.type === 'ready') resolve();
        if (message.type === 'failed') reject(new Error(`${spec.logicalId}: ${message.failure.errorMessage}`));
      };
    });
    environment.#onMessage = () => {};
    return environment;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Runs one invocation. After the function's timeout, the invocation fails and the environment ends. Never rejects. */
  invoke(event: string, takeChunk: TakeChunk): Promise<Invocation> {
    return new Promise((resolve) => {
      const end = (invocation: Invocation) => {
        clearTimeout(timer);
        this.#onMessage = () => {};
        resolve(invocation);
      };
      const timer = setTimeout(() => {
        this.#end('Sandbox.Timedout', `Task timed out after ${(this.#timeoutMs / 1000).toFixed(2)} seconds`);
      }, this.#timeoutMs);
      this.#onMessage = (message) => {
        if (message.type === 'chunk') void this.#pass(message.bytes, takeChunk);
        if (message.type === 'returned') end({ ...message, status: 'returned' });
        if (message.type === 'failed') end({ status: 'failed', failure: message.failure });
      };
      this.#post({ type: 'invoke', requestId: randomUUID(), event, deadlineMs: Date.now() + this.#timeoutMs });
    });
  }

  /** Ends the environment and its current invocation. */
  async terminate(): Promise<void> {
    this.#end('Runtime.ExitError', 'the environment was ended');
    await this.#worker.terminate();
  }

  async #pass(bytes: Uint8Array, takeChunk: TakeChunk): Promise<void> {
    await takeChunk(bytes).catch(() => {});
    this.#post({ type: 'taken' });
  }

  #post(message: ToEnvironment): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is no window
    if (!this.#isDead) this.#worker.postMessage(message);
  }

  #end(errorType: string, errorMessage: string): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#onMessage({ type: 'failed', failure: { errorType, errorMessage } });
    void this.#worker.terminate();
  }
}

/** Finds the bundle as Lambda does; `.mjs` comes first. */
function bundlePath(directory: string, file: string): string {
  const path = ['mjs', 'js', 'cjs'].map((extension) => join(directory, `${file}.${extension}`)).find(existsSync);
  if (path === undefined) throw new Error(`${directory} holds no ${file}.mjs`);
  return path;
}

/** What an environment is started with. */
export interface Startup {
  /** The bundle's path, and the name of the handler that it exports. */
  readonly modulePath: string;
  readonly handlerName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** The port of the emulated STS. */
  readonly stsPort: number;
}

/** A message to the environment. Events and results are JSON texts, as Lambda passes them. */
export type ToEnvironment =
  | { readonly type: 'invoke'; readonly requestId: string; readonly event: string; readonly deadlineMs: number }
  /** The last chunk has been passed on; the environment may send the next. */
  | { readonly type: 'taken' };

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** A message from the environment. */
export type FromEnvironment =
  /** The bundle is loaded. */
  | { readonly type: 'ready' }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  /** The invocation has ended; `result` is absent for a streamed answer. */
  | { readonly type: 'returned'; readonly result?: string }
  | { readonly type: 'failed'; readonly failure: FunctionFailure };
