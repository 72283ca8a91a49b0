import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Credentials, signatureOf } from './createToken.ts';
import { isSame } from '../../host/isSame.ts';

/** An IAM identity that the emulated STS knows. */
export interface KnownIdentity extends Credentials {
  readonly arn: string;
  readonly account: string;
  readonly userId: string;
}

/** STS accepts a presigned GetCallerIdentity for a quarter of an hour and ignores `X-Amz-Expires`. */
const LIFETIME_MS = 900_000;
const CLOCK_SKEW_MS = 300_000;

/**
 * Answers GetCallerIdentity as STS does: returns the identity of the signer if the signature matches the request, including its host and `x-k8s-aws-id`, and has
 * not expired. Speaks plain HTTP on loopback; functionWorker redirects the functions' connections to STS here.
 */
export class EmulatedSts {
  readonly port: number;
  readonly #server: Server;
  readonly #identities: KnownIdentity[];

  private constructor(server: Server, identities: KnownIdentity[]) {
    this.#server = server;
    this.#identities = identities;
    this.port = (server.address() as AddressInfo).port;
  }

  static async open(identities: readonly KnownIdentity[], now: () => number): Promise<EmulatedSts> {
    const known = [...identities];
    const server = createServer((request, response) => answer(request, response, known, now()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new EmulatedSts(server, known);
  }

  /** Knows one more identity from now on, in the place of an earlier one with the same access key. */
  know(identity: KnownIdentity): void {
    const same = this.#identities.findIndex(({ accessKeyId }) => accessKeyId === identity.accessKeyId);
    if (same >= 0) this.#identities.splice(same, 1);
    this.#identities.push(identity);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  identities: readonly KnownIdentity[],
  nowMs: number,
): void {
  const verdict = judge(request, identities, nowMs);
  const [status, body] =
    typeof verdict === 'string'
      ? [403, { Error: { Code: verdict, Message: 'The request is not signed by a known identity.', Type: 'Sender' } }]
      : [200, identityAnswer(verdict)];
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function judge(
  { method, url: target = '/', headers }: IncomingMessage,
  identities: readonly KnownIdentity[],
  nowMs: number,
): KnownIdentity | string {
  const url = new URL(target, `https://${headers.host}`);
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  if (method !== 'GET' || parameter('Action') !== 'GetCallerIdentity') return 'InvalidAction';
  const accessKeyId = parameter('X-Amz-Credential').split('/')[0];
  const identity = identities.find((known) => known.accessKeyId === accessKeyId);
  if (!identity) return 'InvalidClientTokenId';
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameter('X-Amz-Date')) ?? [];
  const ageMs = nowMs - Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!(ageMs < LIFETIME_MS && ageMs > -CLOCK_SKEW_MS)) return 'ExpiredToken';
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const expected = signatureOf({ url, headers: flat, secretAccessKey: identity.secretAccessKey });
  return isSame(expected, parameter('X-Amz-Signature')) ? identity : 'SignatureDoesNotMatch';
}

function identityAnswer({ arn, account, userId }: KnownIdentity) {
  return {
    GetCallerIdentityResponse: {
      GetCallerIdentityResult: { Account: account, Arn: arn, UserId: userId },
      ResponseMetadata: { RequestId: '00000000-0000-0000-0000-000000000000' },
    },
  };
}
