import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a client and a server that can cut all connections, as networks do with long watches. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(targetUrl: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(targetUrl);
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on('connection', (client) => proxy.#join(client, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
