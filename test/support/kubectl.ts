import { spawn, spawnSync } from 'node:child_process';

/** Whether this machine has a kubectl; tests that need one skip visibly where it has none. */
export const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command after so long; its output until then is the result. */
  readonly endAfterMs?: number;
}

/** Runs kubectl against the server of a kubeconfig, whatever its exit code. */
export function runKubectl(
  kubeconfig: string,
  args: readonly string[],
  { input, env, endAfterMs }: KubectlOptions = {},
): Promise<KubectlResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, { env: { ...process.env, ...env, KUBECONFIG: kubeconfig } });
    const timer = endAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), endAfterMs);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
    child.stdin.end(input ?? '');
  });
}

/** A kubectl for one kubeconfig that expects success and gives what was printed. */
export function kubectlFor(kubeconfig: string) {
  return async (commandLine: string, options: KubectlOptions = {}): Promise<string> => {
    const { code, stdout, stderr } = await runKubectl(kubeconfig, splitWords(commandLine), options);
    if (code !== 0) throw new Error(`kubectl ${commandLine}: exit ${code}\n${stdout}${stderr}`);
    return stdout;
  };
}

/** Splits as a shell would, with single quotes. */
function splitWords(commandLine: string): string[] {
  return [...commandLine.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
