import { type IncomingMessage, type OutgoingHttpHeaders, request as openHttp, type RequestOptions } from 'node:http';
import { request as openHttps } from 'node:https';
import { encodeKubernetesObject } from '../encodeKubernetesObject.ts';

/** How a kubelet reaches the API server and proves who it is. Certificates are in PEM. */
export interface KubeletClientOptions {
  /** `http://127.0.0.1:8001` */
  readonly server: string;
  readonly token?: string;
  readonly authority?: string;
  readonly certificate?: string;
  readonly privateKey?: string;
  /** How it writes bodies, and what it asks for first. A real kubelet writes protobuf. Default: JSON. */
  readonly speaks?: 'json' | 'protobuf';
  /** Sent with every request, in place of its own headers of these names. */
  readonly headers?: OutgoingHttpHeaders;
}

export interface ClientAnswer {
  readonly code: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly body: any;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** The headers of client-go, by the content type that a component is configured with. */
const ACCEPT = { json: 'application/json', protobuf: `${PROTOBUF},application/json` } as const;

/** The client of a test's kubelet: it speaks HTTP or HTTPS with the means that a real one has, a bearer token or a client certificate. */
export class KubeletClient {
  readonly #options: KubeletClientOptions;

  constructor(options: KubeletClientOptions) {
    this.#options = options;
  }

  /** Sends an object, and resolves to the answer. Without a content type the body is written as this client speaks; a patch always has one, and is JSON. */
  async send(method: string, path: string, object?: object, contentType?: string): Promise<ClientAnswer> {
    const body = object && this.#encode(object, contentType);
    const headers = body ? { 'content-type': body.contentType, 'content-length': body.bytes.length } : {};
    const message = await this.#open(method, path, headers, body?.bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const isJson = message.headers['content-type']?.startsWith('application/json') === true;
    return { code: message.statusCode ?? 0, body: isJson ? JSON.parse(text) : text };
  }

  /** Calls `on` with each event of a watch until the signal is aborted or the server ends it. Rejects if the watch is refused. */
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

  /** Opens a watch, or anything else, and leaves as soon as it is answered; resolves to the code. */
  async open(path: string): Promise<number> {
    const message = await this.#open('GET', path, {});
    message.destroy();
    return message.statusCode ?? 0;
  }

  #encode(object: object, contentType?: string): { readonly bytes: Buffer; readonly contentType: string } {
    if (contentType !== undefined || this.#options.speaks !== 'protobuf')
      return { bytes: Buffer.from(JSON.stringify(object)), contentType: contentType ?? 'application/json' };
    return { bytes: encodeKubernetesObject(object), contentType: PROTOBUF };
  }

  #open(
    method: string,
    path: string,
    own: OutgoingHttpHeaders,
    body?: Buffer,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const { server, token, authority, certificate, privateKey, speaks = 'json', headers } = this.#options;
    const options: RequestOptions = {
      method,
      agent: false,
      headers: {
        accept: ACCEPT[speaks],
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...own,
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
