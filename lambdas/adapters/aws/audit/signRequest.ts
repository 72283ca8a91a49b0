import { createHash, createHmac } from 'node:crypto';

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
export function signRequest(request: SignedRequest): Record<string, string> {
  const { url, body, service, region, credentials, nowMs } = request;
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': date,
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}`);
  const canonical = ['POST', url.pathname, '', ...lines, '', names, sha256(body)].join('\n');
  const scope = [date.slice(0, 8), region, service, 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
  const credential = `${credentials.accessKeyId}/${scope.join('/')}`;
  const signature = hmac(key, text).toString('hex');
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
