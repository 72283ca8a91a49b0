import { type Duplex, PassThrough, type Readable } from 'node:stream';
import { SpdyHeaders } from './SpdyHeaders.ts';

const CONTROL = 0x8000;
const VERSION = 3;
const TYPES = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const FIN = 1;
const HEAD_BYTES = 8;

/** A stream that the client has opened in a SPDY connection. */
export interface SpdyStream {
  readonly headers: ReadonlyMap<string, string>;
  /** What the client sends, until it closes its half. */
  readonly received: Readable;
  write(data: string | Buffer): void;
  /** Closes the server's half. */
  end(): void;
}

/** The server's side of SPDY/3.1, as far as kubectl needs it: streams that the client opens, and pings. Windows are not kept, as those of Kubernetes' own library are not. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #headers = new SpdyHeaders();
  readonly #received = new Map<number, PassThrough>();

  private constructor(socket: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
  }

  /** Reads frames from the socket until it ends. `head` is what was read of it already. */
  static serve(socket: Duplex, head: Buffer, onStream: (stream: SpdyStream) => void): SpdyConnection {
    const connection = new SpdyConnection(socket, onStream);
    void connection.#read(head).catch(() => socket.destroy());
    return connection;
  }

  /** Ends the connection when what was written has been sent. */
  close(): void {
    this.#socket.end();
  }

  async #read(head: Buffer): Promise<void> {
    let buffered = head;
    for (;;) {
      buffered = await this.#takeFrames(buffered);
      const { value, done } = await this.#chunks.next();
      if (done === true) return;
      buffered = Buffer.concat([buffered, value]);
    }
  }

  get #chunks(): AsyncIterator<Buffer> {
    this.#iterator ??= (this.#socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    return this.#iterator;
  }
  #iterator: AsyncIterator<Buffer> | undefined;

  /** Handles the whole frames, and returns the beginning of the next. */
  async #takeFrames(buffered: Buffer): Promise<Buffer> {
    let rest = buffered;
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUIntBE(5, 3);
      if (rest.length < end) break;
      await this.#take(rest.subarray(0, HEAD_BYTES), rest.subarray(HEAD_BYTES, end));
      rest = rest.subarray(end);
    }
    return rest;
  }

  async #take(head: Buffer, body: Buffer): Promise<void> {
    const isFinal = ((head[4] ?? 0) & FIN) === FIN;
    if ((head.readUInt16BE(0) & CONTROL) === 0) return this.#takeData(head.readUInt32BE(0), body, isFinal);
    const type = head.readUInt16BE(2);
    if (type === TYPES.ping) this.#send(TYPES.ping, body);
    if (type === TYPES.rstStream) this.#received.get(body.readUInt32BE(0))?.end();
    if (type === TYPES.goAway) this.close();
    if (type === TYPES.synStream) await this.#open(body, isFinal);
  }

  #takeData(id: number, data: Buffer, isFinal: boolean): void {
    const received = this.#received.get(id);
    if (data.length > 0) received?.write(Buffer.from(data));
    if (isFinal) received?.end();
  }

  /** Replies to a new stream. Its body is its ID, that of another stream, a priority, and its headers. */
  async #open(body: Buffer, isFinal: boolean): Promise<void> {
    const id = body.readUInt32BE(0);
    const headers = await this.#headers.decode(body.subarray(10));
    const received = new PassThrough();
    this.#received.set(id, received);
    if (isFinal) received.end();
    this.#send(TYPES.synReply, Buffer.concat([body.subarray(0, 4), await this.#headers.encodeNone()]));
    this.#onStream({
      headers,
      received,
      write: (data) => this.#sendData(id, Buffer.from(data), 0),
      end: () => this.#sendData(id, Buffer.alloc(0), FIN),
    });
  }

  #send(type: number, body: Buffer): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt16BE(CONTROL | VERSION, 0);
    head.writeUInt16BE(type, 2);
    head.writeUIntBE(body.length, 5, 3);
    this.#socket.write(Buffer.concat([head, body]));
  }

  #sendData(id: number, data: Buffer, flags: number): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(id, 0);
    head[4] = flags;
    head.writeUIntBE(data.length, 5, 3);
    if (this.#socket.writable) this.#socket.write(Buffer.concat([head, data]));
  }
}
