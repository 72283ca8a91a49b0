import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { outputOf, type ProgramOptions, type ProgramResult, runProgram } from './runProgram.ts';

/** True if this machine has a kubectl. Without one, tests that need it skip visibly. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

export interface KubectlOptions extends ProgramOptions {
  /** The path of the kubectl. Absent: the one in the PATH. */
  readonly program?: string;
}

/** Runs kubectl against the server of a kubeconfig. Does not throw for a failing exit code. */
export function runKubectl(
  kubeconfig: string,
  args: readonly string[],
  { program = 'kubectl', env, ...options }: KubectlOptions = {},
): Promise<ProgramResult> {
  return runProgram(program, args, { ...options, env: { ...env, KUBECONFIG: kubeconfig } });
}

/** Returns a kubectl for one kubeconfig that expects success and returns the output. `program` is its path; absent: the one in the PATH. */
export function kubectlFor(kubeconfig: string, program = 'kubectl') {
  return (commandLine: string, { env, ...options }: ProgramOptions = {}): Promise<string> =>
    outputOf(program, splitWords(commandLine), { ...options, env: { ...env, KUBECONFIG: kubeconfig } });
}

/** Splits arguments as a shell does, with single quotes. */
function splitWords(commandLine: string): string[] {
  return [...commandLine.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** A running kubectl (`get -w`), and its output so far. */
export class RunningKubectl {
  readonly #child: ChildProcess;
  #printed = '';

  constructor(kubeconfig: string, args: readonly string[], { program = 'kubectl', env }: KubectlOptions = {}) {
    this.#child = spawn(program, args, { env: { ...process.env, ...env, KUBECONFIG: kubeconfig } });
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
