import { spawn } from 'node:child_process';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  /** What the program reads from its standard input. */
  readonly input?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory. Absent: that of this process. */
  readonly directory?: string;
}

/** Runs a program to its end. Does not throw for a failing exit code; rejects if the program cannot be started. */
export function runProgram(
  program: string,
  args: readonly string[],
  { input, env, directory }: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, cwd: directory });
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

/** Runs a program that must succeed; resolves to its output. */
export async function outputOf(program: string, args: readonly string[], options?: ProgramOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
  return stdout;
}
