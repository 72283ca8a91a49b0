import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** What the SDK finds in the environment of a function. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface SignedRequest {
  /** Without a query. */
  readonly url: URL;
  /** By lower-case names; all of them are signed, and `host` is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly nowMs: number;
}

/** Returns the headers of a POST, with its signature by AWS' Signature Version 4. Pure. */
export async function signRequest(request: SignedRequest): Promise<Record<string, string>> {
  const { url, headers, body, service, region, credentials, nowMs } = request;
  const { sessionToken, ...keys } = credentials;
  const signer = new SignatureV4({
    service,
    region,
    credentials: { ...keys, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256,
    // The signature covers the body anyway.
    applyChecksum: false,
  });
  const { protocol, hostname, pathname: path, host } = url;
  const message = { method: 'POST', protocol, hostname, path, headers: { ...headers, host }, body };
  const signed = await signer.sign(message, { signingDate: new Date(nowMs) });
  const { host: _, ...others } = signed.headers;
  return others;
}

/** Node's hash in the form that the signer asks for. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secretOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is made for each text');
  }
}

function secretOf(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret;
  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
}
