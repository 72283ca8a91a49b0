import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notingEnvironment } from './answers/noteInProcess.ts';

const CLOCK_TICKS_PER_SECOND = 100;

interface ProcessOptions {
  readonly nodeArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `npm start` as a separate process. */
export class ServerProcess {
  readonly baseUrl: string;
  readonly kubeconfig: string;
  readonly dataDir: string;
  /** The time from the start of the process to its first answer. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, baseUrl: string, startMs: number, dataDir: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
    this.startMs = startMs;
    this.dataDir = dataDir;
    this.kubeconfig = join(dataDir, 'kubeconfig');
  }

  /** Starts the server on `dataDir`, or on a fresh directory; resolves when it answers. */
  static async start(
    extraArguments: readonly string[] = [],
    given?: string,
    { nodeArguments = [], env = {} }: ProcessOptions = {},
  ): Promise<ServerProcess> {
    const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'driftless-')));
    const begunMs = performance.now();
    const child = spawn(
      process.execPath,
      [...nodeArguments, 'infra/bin/startFromSource.js', '--port', '0', '--data-dir', dataDir, ...extraArguments],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...notingEnvironment(), ...env } },
    );
    const baseUrl = await announcedUrl(child);
    const answer = await fetch(`${baseUrl}/readyz`);
    // An emulated cloud answers only authenticated requests.
    if (!answer.ok && answer.status !== 401) throw new Error(`/readyz answers ${answer.status}`);
    return new ServerProcess(child, baseUrl, performance.now() - begunMs, dataDir);
  }

  /** Returns the resident memory now and at its peak, in MiB, and the CPU seconds so far. Reads /proc, so it works only on Linux. */
  usage(): { rssMiB: number; peakRssMiB: number; cpuSeconds: number } | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
      const ticks = Number(fields[11]) + Number(fields[12]);
      return {
        rssMiB: kib('VmRSS') / 1024,
        peakRssMiB: kib('VmHWM') / 1024,
        cpuSeconds: ticks / CLOCK_TICKS_PER_SECOND,
      };
    } catch {
      return undefined;
    }
  }

  /** Lets this process end while the server runs; returns the server's process id. */
  unref(): number {
    this.#child.unref();
    (this.#child.stdout as Socket).unref();
    return this.#child.pid as number;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the process and returns its exit code, or `null` if the signal killed it. The data directory stays. */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    return ended;
  }

  /** Ends the process and removes its data directory. */
  async dispose(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.end();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function announcedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /driftless listening on (http:\S+)/.exec(printed)?.[1];
      if (url) resolve(url);
    });
  });
}
