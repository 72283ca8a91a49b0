import { PassThrough } from 'node:stream';
import type { CommandStreams } from './runCommand.ts';
import type { SpdyConnection, SpdyStream } from './spdy/SpdyConnection.ts';

const STREAM_OF = { input: 'stdin', output: 'stdout', error: 'stderr', tty: 'resize' } as const;

/** The streams that a client opens for a command, by what it asks the kubelet for. One more tells the exit code. */
export function streamTypesOf(query: URLSearchParams): readonly string[] {
  const asked = Object.entries(STREAM_OF).flatMap(([name, type]) => (query.get(name) === '1' ? [type] : []));
  return ['error', ...asked];
}

/** The streams of a command over one SPDY connection. */
export function spdyStreams(opened: ReadonlyMap<string, SpdyStream>, connection: SpdyConnection): CommandStreams {
  return {
    stdin: opened.get('stdin')?.received ?? new PassThrough(),
    onResize: (on) => opened.get('resize')?.received.on('data', (size: Buffer) => on(JSON.parse(size.toString()))),
    stdout: (data) => opened.get('stdout')?.write(data),
    stderr: (data) => opened.get('stderr')?.write(data),
    exit: (status) => {
      opened.get('error')?.write(JSON.stringify(status));
      for (const stream of opened.values()) stream.end();
      connection.close();
    },
  };
}

/** Forwards a port for a client: each connection has a stream for errors and one for data, whose bytes come back in upper case. */
export function forwardPort(stream: SpdyStream): void {
  if (stream.headers.get('streamtype') === 'error') return stream.end();
  stream.received.on('data', (data: Buffer) => stream.write(data.toString().toUpperCase()));
  stream.received.once('end', () => stream.end());
}
