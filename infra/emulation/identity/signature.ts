import { createHash, createHmac } from 'node:crypto';

const EMPTY_PAYLOAD_HASH = createHash('sha256').update('').digest('hex');

export interface PresignedRequest {
  readonly url: URL;
  /** The values of the signed headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secretAccessKey: string;
}

/**
 * The `X-Amz-Signature` that AWS' Signature Version 4 gives a GET whose query says everything else of the signature (algorithm, credential, date,
 * signed headers). Hexadecimal.
 */
export function signatureOf({ url, headers, secretAccessKey }: PresignedRequest): string {
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const [, ...scope] = parameter('X-Amz-Credential').split('/');
  const signedHeaders = parameter('X-Amz-SignedHeaders');
  const canonicalRequest = [
    'GET',
    url.pathname,
    canonicalQuery(url),
    ...signedHeaders.split(';').map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    signedHeaders,
    EMPTY_PAYLOAD_HASH,
  ].join('\n');
  const hash = createHash('sha256').update(canonicalRequest).digest('hex');
  const text = [parameter('X-Amz-Algorithm'), parameter('X-Amz-Date'), scope.join('/'), hash].join('\n');
  const key = scope.reduce<Buffer>((secret, part) => hmac(secret, part), Buffer.from(`AWS4${secretAccessKey}`));
  return hmac(key, text).toString('hex');
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

/** Everything but RFC 3986's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
