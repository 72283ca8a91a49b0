import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** True if this machine has a kubectl. Without one, tests that need it skip visibly. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs kubectl against the server of a kubeconfig. Does not throw for a failing exit code. */
export function runKubectl(
  kubeconfig: string,
  args: readonly string[],
  { input, env }: KubectlOptions = {},
): Promise<KubectlResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, { env: { ...process.env, ...env, KUBECONFIG: kubeconfig } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input ?? '');
  });
}

/** Returns a kubectl for one kubeconfig that expects success and returns the output. */
export function kubectlFor(kubeconfig: string) {
  return async (commandLine: string, options: KubectlOptions = {}): Promise<string> => {
    const { code, stdout, stderr } = await runKubectl(kubeconfig, splitWords(commandLine), options);
    if (code !== 0) throw new Error(`kubectl ${commandLine}: exit ${code}\n${stdout}${stderr}`);
    return stdout;
  };
}

/** Splits arguments as a shell does, with single quotes. */
function splitWords(commandLine: string): string[] {
  return [...commandLine.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** A running kubectl (`get -w`), and its output so far. */
export class RunningKubectl {
  readonly #child: ChildProcess;
  #printed = '';

  constructor(kubeconfig: string, args: readonly string[]) {
    this.#child = spawn('kubectl', args, { env: { ...process.env, KUBECONFIG: kubeconfig } });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString();
      this.#child.emit('printed');
    });
  }

  /** Resolves when the output matches. */
  until(pattern: RegExp): Promise<string> {
    return new Promise((resolve) => {
      const look = () => {
        if (!pattern.test(this.#printed)) return;
        this.#child.off('printed', look);
        resolve(this.#printed);
      };
      this.#child.on('printed', look);
      look();
    });
  }

  end(): void {
    this.#child.kill('SIGINT');
  }
}
