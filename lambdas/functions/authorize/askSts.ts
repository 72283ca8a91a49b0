/** The signer's identity, according to STS. */
export interface CallerIdentity {
  readonly arn: string;
  readonly account: string;
  readonly userId: string;
}

export type StsAnswer =
  | { readonly status: 'caller'; readonly caller: CallerIdentity }
  | { readonly status: 'refused'; readonly why: string };

const TIME_LIMIT_MS = 5000;
const MAX_ANSWER_BYTES = 100_000;

/** The question who asks, for the STS of a region, without a signature. Pure. */
export function stsOf(partition: string, region: string): URL {
  const domain = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(`https://sts.${region}.${domain}/?Action=GetCallerIdentity&Version=2011-06-15`);
}

/**
 * Sends a presigned GetCallerIdentity request with `x-k8s-aws-id` set to this stack's own id. The signature covers that header, so a token for another stack
 * fails. Never follows a redirect. Throws if STS cannot be reached in time.
 */
export async function askSts(url: URL, stackId: string, fetchFrom: typeof fetch = fetch): Promise<StsAnswer> {
  const answer = await fetchFrom(url, {
    headers: { accept: 'application/json', 'x-k8s-aws-id': stackId },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    return { status: 'refused', why: `STS answers ${answer.status}` };
  }
  const text = await readLimited(answer);
  const caller = text === undefined ? undefined : parseCaller(text);
  return caller
    ? { status: 'caller', caller }
    : { status: 'refused', why: 'STS answers with something that is not an identity' };
}

async function readLimited(answer: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) return undefined;
  }
  return text;
}

function parseCaller(text: string): CallerIdentity | undefined {
  try {
    const { GetCallerIdentityResponse } = JSON.parse(text) as {
      GetCallerIdentityResponse?: { GetCallerIdentityResult?: Record<string, unknown> };
    };
    const { Arn, Account, UserId } = GetCallerIdentityResponse?.GetCallerIdentityResult ?? {};
    if (typeof Arn !== 'string' || typeof Account !== 'string' || typeof UserId !== 'string') return undefined;
    return { arn: Arn, account: Account, userId: UserId };
  } catch {
    return undefined;
  }
}
