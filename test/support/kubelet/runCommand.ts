import type { Readable } from 'node:stream';

/** The streams of a command, whatever protocol carries them. */
export interface CommandStreams {
  readonly stdin: Readable;
  /** Calls `on` with each size of the terminal. */
  onResize(on: (size: { readonly Width: number; readonly Height: number }) => void): void;
  stdout(data: string | Buffer): void;
  stderr(data: string | Buffer): void;
  /** Ends the streams with the Status of the command. */
  exit(status: object): void;
}

/**
 * Runs one of a few commands: `echo` and `cat` do what they do elsewhere, `fail CODE` writes to standard error and exits with the code, `size` writes the size of the terminal once it is
 * known. Without a command, as for `attach`, it is `cat`.
 */
export function runCommand(query: URLSearchParams, streams: CommandStreams): void {
  const [command = 'cat', ...words] = query.getAll('command');
  const exit = (code: number) => streams.exit(exitStatus(code));
  switch (command) {
    case 'echo':
      streams.stdout(`${words.join(' ')}\n`);
      return exit(0);
    case 'fail':
      streams.stderr('this fails\n');
      return exit(Number(words[0] ?? 1));
    case 'size':
      return streams.onResize(({ Width, Height }) => {
        streams.stdout(`${Width}x${Height}\n`);
        exit(0);
      });
    default:
      streams.stdin.on('data', (data: Buffer) => streams.stdout(data));
      streams.stdin.once('end', () => exit(0));
  }
}

/** The Status by which a kubelet tells a command's exit code. */
function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${code}` }] },
  };
}
