import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ContainerSpec } from '../template/readContainer.ts';

export interface EmulatedContainerOptions {
  readonly spec: ContainerSpec;
  /** The file that the image would start. */
  readonly modulePath: string;
  /** A directory that only this user may enter: what reaches the socket in it may claim to be anybody. */
  readonly directory: string;
  /** The environment variables that Fargate adds, and the services' endpoints. */
  readonly variables: Readonly<Record<string, string>>;
  readonly onLog: (name: string, text: string) => void;
}

const NAME = 'Api';

/** The API's container as a process of this machine, which listens on a Unix socket. */
export class EmulatedContainer {
  readonly socketPath: string;
  /** The port on which it serves clients that do not come through API Gateway; absent if it does not. */
  directPort: number | undefined;
  /** Resolves if the process ends by itself. */
  readonly failed: Promise<Error>;
  readonly #child: ChildProcess;
  #isStopped = false;

  private constructor(options: EmulatedContainerOptions) {
    const { spec, modulePath, directory, variables, onLog } = options;
    this.socketPath = join(directory, 'api.sock');
    const heapMb = Math.floor(spec.memoryMb * 0.75);
    this.#child = spawn(process.execPath, ['--enable-source-maps', `--max-old-space-size=${heapMb}`, modulePath], {
      env: { ...variables, ...spec.environment, DRIFTLESS_LISTEN: this.socketPath, DRIFTLESS_DIRECT_LISTEN: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => onLog(NAME, chunk.toString()));
    }
    this.failed = new Promise((resolve) =>
      this.#child.once('exit', (code) => {
        if (!this.#isStopped) resolve(new Error(`the API's container ended with ${code}`));
      }),
    );
  }

  /** Resolves when the container listens; rejects if it ends before. */
  static async start(options: EmulatedContainerOptions): Promise<EmulatedContainer> {
    const container = new EmulatedContainer(options);
    const listening = new Promise<void>((resolve) => {
      let printed = '';
      container.#child.stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const line = printed.split('\n').find((one) => one.includes('"listening"'));
        if (line === undefined) return;
        const port = /"direct":"(\d+)"/.exec(line)?.[1];
        container.directPort = port === undefined ? undefined : Number(port);
        resolve();
      });
    });
    const ended = await Promise.race([listening, container.failed]);
    if (ended instanceof Error) throw ended;
    return container;
  }

  /** Ends it as Fargate does, by SIGTERM. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}
