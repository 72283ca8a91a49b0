import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { messageOfAll, nothingTold, takeMessage } from '../../infra/dashboard/page/Told.ts';
import type { PageMessage } from '../../infra/dashboard/views/PageViews.ts';
import { readLines } from '../../infra/host/readLines.ts';

const CALL = { 'x-driftless-dashboard': '1' };

/** Runs `driftless dashboard` as a separate process, which ends with the test. */
export class DashboardProcess {
  /** The address that was printed, with its key. */
  readonly address: string;
  /** All that was printed by then. */
  readonly printed: string;
  readonly #child: ChildProcess;
  #cookie: string | undefined;

  private constructor(child: ChildProcess, printed: string, address: string) {
    this.#child = child;
    this.printed = printed;
    this.address = address;
  }

  static async start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<DashboardProcess> {
    const child = spawn(process.execPath, ['infra/bin/startFromSource.js', 'dashboard', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    // Not by SIGKILL: it ends the kubectl that it has started for some kinds of credentials.
    onTestFinished(() => endOf(child, 'SIGTERM'));
    const printed = await announced(child);
    const address = /dashboard on (http:\S+)\n/.exec(printed)?.[1] ?? '';
    return new DashboardProcess(child, printed, address);
  }

  /** Calls the page's server as the page does. */
  async call(path: string, init?: RequestInit): Promise<Response> {
    const cookie = (this.#cookie ??= await this.#enter());
    const url = new URL(`/dashboard/api${path}`, this.address);
    return await fetch(url, { ...init, headers: { ...CALL, cookie, 'content-type': 'application/json' } });
  }

  /** Reads a stream until all that it has told so far is what the test waits for. What happens at once may come in several messages. */
  async follow(path: string): Promise<(isWanted: (told: PageMessage) => boolean) => Promise<PageMessage>> {
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const answer = await this.call(path, { signal: ending.signal });
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const lines = readLines(answer.body);
    const told = nothingTold();
    return async (isWanted) => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the stream has ended; the process: ${this.#child.exitCode ?? 'runs'}`);
        takeMessage(told, JSON.parse(value) as PageMessage);
        const { problem, isKnown: isStart } = told;
        const message = { ...messageOfAll(told), isStart, ...(problem !== undefined && { problem }) };
        if (isWanted(message)) return message;
      }
    };
  }

  /** Ends the process; resolves to its exit code and the time that it took. */
  async end(signal: 'SIGTERM' | 'SIGINT'): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    const begunMs = performance.now();
    await endOf(this.#child, signal);
    return { code: this.#child.exitCode, tookMs: performance.now() - begunMs };
  }

  async #enter(): Promise<string> {
    const entered = await fetch(this.address, { redirect: 'manual' });
    return entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  }
}

/** Ends a process; resolves when it has ended. */
async function endOf(child: ChildProcess, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function announced(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) => reject(new Error(`the dashboard ended with ${code} before it listened`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (/^shows .*\n/m.test(printed)) resolve(printed);
    });
  });
}
