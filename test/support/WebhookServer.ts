import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Certificate, selfSignedCertificate } from '../../infra/host/selfSignedCertificate.ts';

/** What a webhook is sent: an AdmissionReview or a ConversionReview. */
export interface ReceivedReview {
  readonly apiVersion: string;
  readonly kind: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read reviews of every shape
  readonly request: any;
}

/** Answers a review: with the response's members, with a text that is sent as it is, or not at all (the text `hang`). */
export type Answer = Readonly<Record<string, unknown>> | string;
type Respond = (review: ReceivedReview) => Answer | Promise<Answer>;

/** A webhook over HTTPS on loopback, with a certificate of its own for 127.0.0.1. */
export class WebhookServer {
  /** The reviews in the order in which they came, by their paths with the query. */
  readonly received: { readonly path: string; readonly review: ReceivedReview }[] = [];
  readonly #server: Server;
  readonly #certificate: Certificate;
  readonly #responders = new Map<string, Respond>();
  readonly #redirects = new Map<string, string>();

  constructor(certificate: Certificate) {
    this.#certificate = certificate;
    this.#server = createServer({ key: certificate.privateKey, cert: certificate.certificate }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void this.#answer(request.url ?? '', Buffer.concat(chunks).toString(), response);
      });
    });
  }

  /** Starts a webhook whose certificate is valid now. */
  static async start(): Promise<WebhookServer> {
    const webhook = new WebhookServer(selfSignedCertificate(Date.now()));
    await new Promise<void>((resolve) => webhook.#server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `127.0.0.1:41234` */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** PEM of the authority: the certificate itself. */
  get certificate(): string {
    return this.#certificate.certificate;
  }

  /** The `clientConfig` of a configuration. */
  clientConfig(path: string): { readonly url: string; readonly caBundle: string } {
    return { url: `https://${this.address}${path}`, caBundle: Buffer.from(this.certificate).toString('base64') };
  }

  /** Answers reviews to this path. */
  on(path: string, respond: Respond): void {
    this.#responders.set(path, respond);
  }

  /** Sends those who post to this path somewhere else. */
  redirect(path: string, location: string): void {
    this.#redirects.set(path, location);
  }

  /** The reviews that came to this path. */
  reviewsOf(path: string): ReceivedReview[] {
    return this.received.filter((one) => one.path.split('?')[0] === path).map(({ review }) => review);
  }

  /** Forgets reviews and answers. */
  forget(): void {
    this.received.length = 0;
    this.#responders.clear();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(path: string, body: string, response: ServerResponse): Promise<void> {
    const text = await this.#answerTo(path, body);
    if (text === 'hang') return;
    const location = this.#redirects.get(path);
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(text);
  }

  async #answerTo(path: string, body: string): Promise<string | undefined> {
    const review = JSON.parse(body) as ReceivedReview;
    this.received.push({ path, review });
    const respond = this.#responders.get(path.split('?')[0] ?? '');
    if (!respond) return undefined;
    const answer = await respond(review);
    if (typeof answer === 'string') return answer;
    const { apiVersion, kind, request } = review;
    return JSON.stringify({ apiVersion, kind, response: { uid: (request as { uid: string }).uid, ...answer } });
  }
}

/** The response of a webhook that changes the object by a JSON patch. */
export function patchResponse(...operations: readonly object[]): Readonly<Record<string, unknown>> {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}
