import { PassThrough } from 'node:stream';
import type { WebSocket } from 'ws';
import type { CommandStreams } from './runCommand.ts';

/** The channels of `v4.channel.k8s.io` and `v5.channel.k8s.io`: the first byte of each message. */
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The streams of a command over one WebSocket. */
export function webSocketStreams(webSocket: WebSocket): CommandStreams {
  const stdin = new PassThrough();
  const send = (channel: number, data: string | Buffer) =>
    webSocket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]));
  webSocket.on('message', (message: Buffer) => {
    if (message[0] === CHANNELS.stdin) stdin.write(message.subarray(1));
    if (message[0] === CHANNELS.close) stdin.end();
  });
  return {
    stdin,
    onResize: (on) =>
      webSocket.on('message', (message: Buffer) => {
        if (message[0] === CHANNELS.resize) on(JSON.parse(message.subarray(1).toString()));
      }),
    stdout: (data) => send(CHANNELS.stdout, data),
    stderr: (data) => send(CHANNELS.stderr, data),
    exit: (status) => {
      send(CHANNELS.error, JSON.stringify(status));
      webSocket.close(1000);
    },
  };
}
