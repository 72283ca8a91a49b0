import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from './AwsCredentials.ts';

export interface SignedRequest {
  /** Without a query. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `logs` */
  readonly service: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly nowMs: number;
}

/** Returns the SDK's signer for requests to a service: AWS' Signature Version 4. */
export function signerOf({
  service,
  region,
  credentials,
}: Pick<SignedRequest, 'service' | 'region' | 'credentials'>): SignatureV4 {
  const { sessionToken, ...keys } = credentials;
  return new SignatureV4({
    service,
    region,
    credentials: { ...keys, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Hash.bind(null, 'sha256'),
    // The signature covers the body anyway.
    applyChecksum: false,
  });
}

/** Returns the headers of a POST, with its signature. Pure. */
export async function signRequest(request: SignedRequest): Promise<Record<string, string>> {
  const { url, headers, body, nowMs } = request;
  const { protocol, hostname, pathname: path, host } = url;
  const message = { method: 'POST', protocol, hostname, path, headers: { ...headers, host }, body };
  const signed = await signerOf(request).sign(message, { signingDate: new Date(nowMs) });
  const { host: _, ...others } = signed.headers;
  return others;
}
