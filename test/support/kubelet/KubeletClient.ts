import { type IncomingMessage, request as openHttp, type RequestOptions } from 'node:http';
import { request as openHttps } from 'node:https';

/** How a kubelet reaches the API server and proves who it is. Certificates are in PEM. */
export interface KubeletClientOptions {
  /** `http://127.0.0.1:8001` */
  readonly server: string;
  readonly token?: string;
  readonly authority?: string;
  readonly certificate?: string;
  readonly privateKey?: string;
}

export interface ClientAnswer {
  readonly code: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any;
}

/** The client of a test's kubelet: it speaks HTTP or HTTPS with the means that a real one has, a bearer token or a client certificate. */
export class KubeletClient {
  readonly #options: KubeletClientOptions;

  constructor(options: KubeletClientOptions) {
    this.#options = options;
  }

  async send(method: string, path: string, object?: object, contentType = 'application/json'): Promise<ClientAnswer> {
    const body = object === undefined ? undefined : JSON.stringify(object);
    const headers =
      body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
    const message = await this.#open(method, path, headers, body);
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const isJson = message.headers['content-type']?.startsWith('application/json') === true;
    return { code: message.statusCode ?? 0, body: isJson ? JSON.parse(text) : text };
  }

  /** Calls `on` with each event of a watch until the signal is aborted. Rejects if the watch is refused. */
  async watch(path: string, signal: AbortSignal, on: (event: WatchedEvent) => void): Promise<void> {
    try {
      const message = await this.#open('GET', path, {}, undefined, signal);
      if (message.statusCode !== 200) throw new Error(`the watch ${path} is answered with ${message.statusCode}`);
      let buffered = '';
      for await (const chunk of message as AsyncIterable<Buffer>) {
        const lines = (buffered + chunk.toString()).split('\n');
        buffered = lines.pop() ?? '';
        for (const line of lines.filter((one) => one.trim() !== '')) on(JSON.parse(line) as WatchedEvent);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #open(
    method: string,
    path: string,
    headers: Record<string, string | number>,
    body?: string,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const { server, token, authority, certificate, privateKey } = this.#options;
    const options: RequestOptions = {
      method,
      agent: false,
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(signal && { signal }),
    };
    const tls = { ca: authority, cert: certificate, key: privateKey };
    return new Promise((resolve, reject) => {
      const url = new URL(path, server);
      const opened =
        url.protocol === 'https:' ? openHttps(url, { ...options, ...tls }, resolve) : openHttp(url, options, resolve);
      opened.on('error', reject);
      opened.end(body);
    });
  }
}

/** An event of a watch, of an object of any kind. */
export interface WatchedEvent {
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read objects of every shape
  readonly object: any;
}
