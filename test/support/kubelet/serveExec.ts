import type { WebSocket } from 'ws';

/** The channels of `v4.channel.k8s.io` and `v5.channel.k8s.io`: the first byte of each message. */
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/**
 * Runs one of a few commands: `echo` and `cat` do what they do elsewhere, `fail CODE` writes to standard error and exits with the code, `size` writes the size of the terminal once it is
 * known. Without a command, as for `attach`, it is `cat`.
 */
export function serveExec(webSocket: WebSocket, query: URLSearchParams): void {
  const [command = 'cat', ...words] = query.getAll('command');
  const send = (channel: number, text: string | Buffer) =>
    webSocket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  const exit = (code: number) => {
    send(CHANNELS.error, JSON.stringify(exitStatus(code)));
    webSocket.close(1000);
  };
  webSocket.on('message', (message: Buffer) => {
    const [channel = 0] = message;
    const rest = message.subarray(1);
    if (channel === CHANNELS.stdin && command === 'cat') send(CHANNELS.stdout, rest);
    if (channel === CHANNELS.resize && command === 'size') {
      const { Width, Height } = JSON.parse(rest.toString()) as { Width: number; Height: number };
      send(CHANNELS.stdout, `${Width}x${Height}\n`);
      exit(0);
    }
    if (channel === CHANNELS.close) exit(0);
  });
  if (command === 'echo') {
    send(CHANNELS.stdout, `${words.join(' ')}\n`);
    exit(0);
  }
  if (command === 'fail') {
    send(CHANNELS.stderr, 'this fails\n');
    exit(Number(words[0] ?? 1));
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
