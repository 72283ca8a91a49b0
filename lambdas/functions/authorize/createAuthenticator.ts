import type { Clock } from '../../ports/Clock.ts';
import type { StsAnswer } from './askSts.ts';
import { type IdentityMapping, type MappedUser, mapCaller } from './mapCaller.ts';
import { parseBearerToken } from './parseBearerToken.ts';

export interface AuthorizeDeps {
  readonly clock: Clock;
  readonly partition: string;
  readonly mappings: readonly IdentityMapping[];
  /** Asks STS with this stack's id in the signed header. */
  readonly ask: (url: URL) => Promise<StsAnswer>;
  /** Hears why a token was refused; the client is only told 401. Never gets the token. */
  readonly onRefused?: (why: string) => void;
}

/** Who sends a request with these `Authorization` values; `undefined` for nobody that we know, which is a 401. */
export type Authenticate = (authorization: readonly string[]) => Promise<MappedUser | undefined>;

/**
 * Authenticates requests by IAM identity, as `aws eks get-token` presents it. Exactly one `Authorization: Bearer k8s-aws-v1.…` counts: who sends several could
 * mean different people to different readers. Throws when STS cannot be reached.
 */
export function createAuthenticator({ clock, partition, mappings, ask, onRefused }: AuthorizeDeps): Authenticate {
  const refuse = (why: string) => {
    onRefused?.(why);
    return undefined;
  };
  return async (authorization) => {
    const [value, ...others] = authorization;
    const token = /^Bearer ([^\s,]+)$/i.exec(value ?? '')?.[1];
    if (token === undefined || others.length > 0) return refuse('there is not exactly one bearer token');
    const parsed = parseBearerToken(token, { partition, nowMs: clock.now() });
    if (parsed.status === 'refused') return refuse(parsed.why);
    const answer = await ask(parsed.url);
    if (answer.status === 'refused') return refuse(answer.why);
    return mapCaller(answer.caller, mappings) ?? refuse(`${answer.caller.arn} is mapped to nobody`);
  };
}
