import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../support/ServerProcess.ts';

const PRELOAD = fileURLToPath(new URL('watchTheLoop.js', import.meta.url));

/** What a server has used since the last look. */
export interface Usage {
  readonly cpuSeconds: number;
  /** How late timers were: 99 of 100 less than this. */
  readonly p99DelayMs: number;
  readonly longestDelayMs: number;
  /** What lives on the heap after a collection. */
  readonly heapBytes: number;
  readonly rssMiB: number;
  readonly peakRssMiB: number;
}

/** Our server in a process of its own, with durable storage, whose event loop is watched from within. */
export class MeasuredServer {
  readonly #server: ServerProcess;
  readonly #directory: string;
  #cpuSeconds: number;

  private constructor(server: ServerProcess, directory: string) {
    this.#server = server;
    this.#directory = directory;
    this.#cpuSeconds = server.usage()?.cpuSeconds ?? 0;
  }

  /** `profileInto`: the directory where the process leaves a CPU profile when it ends. */
  static async start(profileInto?: string): Promise<MeasuredServer> {
    const directory = await mkdtemp(join(tmpdir(), 'driftless-bench-'));
    const server = await ServerProcess.start([], undefined, {
      nodeArguments: [
        '--expose-gc',
        '--import',
        PRELOAD,
        ...(profileInto === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileInto}`]),
      ],
      env: { BENCH_LOOP_FILE: join(directory, 'loop.json') },
    });
    return new MeasuredServer(server, directory);
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  get startMs(): number {
    return this.#server.startMs;
  }

  /** Returns what was used since the last look, and begins anew. */
  async look(): Promise<Usage> {
    const file = join(this.#directory, 'loop.json');
    const used = this.#server.usage();
    if (!used) throw new Error('only Linux tells what another process uses');
    rmSync(file, { force: true });
    this.#server.signal('SIGUSR2');
    while (!existsSync(file)) await pause(5);
    const inside = JSON.parse(readFileSync(file, 'utf8')) as Omit<Usage, 'cpuSeconds' | 'rssMiB' | 'peakRssMiB'>;
    const usage = { ...inside, ...used, cpuSeconds: used.cpuSeconds - this.#cpuSeconds };
    // The collection that the look asks for is no work of the server.
    this.#cpuSeconds = this.#server.usage()?.cpuSeconds ?? 0;
    return usage;
  }

  async dispose(): Promise<void> {
    await this.#server.dispose();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
