import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from '../AwsCredentials.ts';
import { Sha256 } from '../Sha256.ts';

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
