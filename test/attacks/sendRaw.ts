import { createConnection } from 'node:net';

export interface RawAnswer {
  /** The status of the first answer; `undefined` if the server closed the connection without one. */
  readonly status: number | undefined;
  /** The number of answers: a second one would belong to a smuggled request. */
  readonly count: number;
  readonly text: string;
}

/** Sends bytes as they are to a port of this machine and reads until the server closes the connection. */
export function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    // A server that refuses a request resets the connection while it is still being written.
    socket.on('error', () => {});
    socket.once('close', () => {
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      resolve({ status: statuses[0], count: statuses.length, text });
    });
  });
}

/** The bytes of a request whose target and headers are sent as they are given, on a connection of its own. */
export function rawRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  body = '',
): string {
  const all = { Host: 'localhost', Connection: 'close', ...(body !== '' && { 'Content-Length': `${body.length}` }) };
  const lines = Object.entries({ ...all, ...headers }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return [`${method} ${target} HTTP/1.1`, ...lines, '', body].join('\r\n');
}
