/** The rules for a bearer token. */
export interface TokenRules {
  /** `aws`, `aws-cn` or `aws-us-gov`: only this partition's STS may be asked. */
  readonly partition: string;
  readonly nowMs: number;
}

export type ParsedToken =
  | { readonly status: 'ask'; readonly url: URL; readonly expiresAtMs: number }
  | { readonly status: 'refused'; readonly why: string };

const PREFIX = 'k8s-aws-v1.';
const MAX_TOKEN_BYTES = 4096;
/** A token is valid for 15 minutes after it was signed, even if the URL allows more. */
const TOKEN_LIFETIME_MS = 900_000;
/** How far the signer's clock may be ahead of ours. */
const MAX_CLOCK_LEAD_MS = 300_000;

const ALLOWED_PARAMETERS = new Set([
  'action',
  'version',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

const REGION = '[a-z]{2,3}(?:-[a-z]+)+-[0-9]{1,2}';
const STS_HOSTS: Readonly<Record<string, RegExp>> = {
  aws: new RegExp(`^(?:sts\\.amazonaws\\.com|sts(?:-fips)?\\.(?!cn-|us-gov-)${REGION}\\.amazonaws\\.com)$`),
  'aws-cn': new RegExp(`^sts\\.cn-[a-z]+-[0-9]{1,2}\\.amazonaws\\.com\\.cn$`),
  'aws-us-gov': new RegExp(`^sts(?:-fips)?\\.us-gov-[a-z]+-[0-9]{1,2}\\.amazonaws\\.com$`),
};

class Refusal extends Error {}

/**
 * Checks the form of a `k8s-aws-v1.` token, a presigned STS GetCallerIdentity URL in base64url, as aws-iam-authenticator does: everything that can be checked
 * without STS. Only STS can verify the caller's identity, and that the URL was signed for this stack (`x-k8s-aws-id`), from the request that is sent
 * then. Pure.
 */
export function parseBearerToken(token: string, rules: TokenRules): ParsedToken {
  try {
    const url = decodeUrl(token);
    checkPlace(url, rules.partition);
    const parameters = uniqueParameters(url);
    checkParameters(parameters);
    return { status: 'ask', url, expiresAtMs: checkTimes(parameters, rules.nowMs) };
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', why: error.message };
    throw error;
  }
}

function decodeUrl(token: string): URL {
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) throw new Refusal('the token is too long');
  if (!token.startsWith(PREFIX)) throw new Refusal(`the token does not begin with ${PREFIX}`);
  const encoded = token.slice(PREFIX.length);
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) throw new Refusal('the token is not base64url');
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  // Parsers treat control characters, spaces and backslashes differently. No presigned URL contains them.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
    throw new Refusal('the URL contains characters that are not allowed in a URL');
  if (!URL.canParse(text)) throw new Refusal('the token holds no URL');
  return new URL(text);
}

function checkPlace(url: URL, partition: string): void {
  if (url.protocol !== 'https:') throw new Refusal('the URL is not https');
  if (url.username !== '' || url.password !== '') throw new Refusal('the URL has credentials');
  if (url.port !== '') throw new Refusal('the URL has a port');
  if (!STS_HOSTS[partition]?.test(url.hostname))
    throw new Refusal(`${url.hostname} is not STS in partition ${partition}`);
  if (url.pathname !== '/') throw new Refusal('the URL has a path');
  if (url.hash !== '') throw new Refusal('the URL has a fragment');
}

/** Returns the parameters by lower-case name. A parameter given twice, in any case, is refused, since STS could take the other value. */
function uniqueParameters(url: URL): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    const lower = name.toLowerCase();
    if (!ALLOWED_PARAMETERS.has(lower)) throw new Refusal(`the parameter ${name} is not allowed`);
    if (parameters.has(lower)) throw new Refusal(`the parameter ${name} is given twice`);
    parameters.set(lower, value);
  }
  return parameters;
}

function checkParameters(parameters: ReadonlyMap<string, string>): void {
  if (parameters.get('action') !== 'GetCallerIdentity') throw new Refusal('the action is not GetCallerIdentity');
  const signed = parameters.get('x-amz-signedheaders')?.split(';') ?? [];
  if (!signed.includes('x-k8s-aws-id')) throw new Refusal('x-k8s-aws-id is not among the signed headers');
  if (!signed.includes('host')) throw new Refusal('host is not among the signed headers');
}

function checkTimes(parameters: ReadonlyMap<string, string>, nowMs: number): number {
  const expires = parameters.get('x-amz-expires') ?? '';
  if (!/^[0-9]{1,6}$/.test(expires) || Number(expires) > TOKEN_LIFETIME_MS / 1000) {
    throw new Refusal('X-Amz-Expires is not between 0 and 900');
  }
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get('x-amz-date') ?? '');
  if (!match) throw new Refusal('X-Amz-Date is not a time');
  const [, year, month, day, hour, minute, second] = match;
  const signedAtMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(signedAtMs)) throw new Refusal('X-Amz-Date is not a time');
  if (signedAtMs > nowMs + MAX_CLOCK_LEAD_MS) throw new Refusal('the token was signed in the future');
  if (nowMs >= signedAtMs + TOKEN_LIFETIME_MS) throw new Refusal('the token has expired');
  return signedAtMs + TOKEN_LIFETIME_MS;
}
