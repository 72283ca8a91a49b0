import type { WebSocket } from 'ws';

/** Forwards one port to a server that answers each message with itself, in upper case. Each port has a channel for data and one for errors, and both begin with the port's number. */
export function servePortForward(webSocket: WebSocket, query: URLSearchParams): void {
  const port = Buffer.alloc(2);
  port.writeUInt16LE(Number(query.get('port')));
  for (const channel of [0, 1]) webSocket.send(Buffer.concat([Buffer.from([channel]), port]));
  webSocket.on('message', (message: Buffer) => {
    if (message[0] !== 0) return;
    webSocket.send(Buffer.concat([Buffer.from([0]), Buffer.from(message.subarray(1).toString().toUpperCase())]));
  });
}
