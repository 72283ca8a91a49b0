import { connect, type Socket } from 'node:net';

const BUFFER_BYTES = 64 * 1024;
const buffer = Buffer.alloc(BUFFER_BYTES);

/** A watch whose events nobody looks at, so that a thousand of them cost this process little. */
export class IdleWatch {
  readonly #socket: Socket;

  /** Resolves when the server has begun to answer; rejects if the answer is not 200. */
  static open(baseUrl: string, path: string): Promise<IdleWatch> {
    const { hostname, port } = new URL(baseUrl);
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const callback = (bytes: number) => {
        if (isOpen) return true;
        isOpen = true;
        const [line = ''] = buffer.toString('latin1', 0, bytes).split('\r\n');
        if (line.startsWith('HTTP/1.1 200')) resolve(new IdleWatch(socket));
        else reject(new Error(`the watch was answered with ${line}`));
        return true;
      };
      const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } });
      socket.once('error', reject);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    });
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  close(): void {
    this.#socket.destroy();
  }
}
