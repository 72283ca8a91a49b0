import { createHash, createHmac } from 'node:crypto';

/** The credentials of an IAM identity, as `aws eks get-token` reads them from the environment. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const REGION = 'us-east-1';

/**
 * Creates a bearer token as `aws eks get-token --cluster-name CLUSTER` prints it: `k8s-aws-v1.` and a presigned STS GetCallerIdentity URL whose signature covers
 * the cluster's id. Valid for a quarter of an hour.
 */
export function createToken({ accessKeyId, secretAccessKey }: Credentials, clusterId: string, nowMs: number): string {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const url = new URL(`https://sts.${REGION}.amazonaws.com/`);
  url.search = new URLSearchParams({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${date.slice(0, 8)}/${REGION}/sts/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
  }).toString();
  const headers = { host: url.hostname, 'x-k8s-aws-id': clusterId };
  url.searchParams.set('X-Amz-Signature', signatureOf({ url, headers, secretAccessKey }));
  return `k8s-aws-v1.${Buffer.from(url.href).toString('base64url')}`;
}

const EMPTY_PAYLOAD_HASH = createHash('sha256').update('').digest('hex');

export interface PresignedRequest {
  readonly url: URL;
  /** The values of the signed headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secretAccessKey: string;
}

/**
 * Computes the `X-Amz-Signature` of a GET by AWS' Signature Version 4, in hexadecimal. Algorithm, credential, date and signed headers are read from the URL's
 * query.
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

/** Percent-encodes all but RFC 3986's unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
