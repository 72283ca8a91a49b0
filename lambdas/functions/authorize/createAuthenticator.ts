import type { Clock } from '../../ports/Clock.ts';
import type { StsAnswer } from './askSts.ts';
import { type IdentityMapping, type MappedUser, mapCaller } from './mapCaller.ts';
import { parseBearerToken } from './parseBearerToken.ts';

export interface AuthorizeDeps {
  readonly clock: Clock;
  readonly partition: string;
  readonly mappings: readonly IdentityMapping[];
  /** Asks STS, with this stack's id in the signed header. */
  readonly ask: (url: URL) => Promise<StsAnswer>;
  /** Called with the reason when a token is refused, but never with the token. The client gets only a 401. */
  readonly onRefused?: (why: string) => void;
}

/** Returns the user who sends a request with these `Authorization` values; `undefined` if unknown, which is a 401. */
export type Authenticate = (authorization: readonly string[]) => Promise<MappedUser | undefined>;

/**
 * Authenticates requests by IAM identity, as `aws eks get-token` presents it. A request must have exactly one `Authorization: Bearer k8s-aws-v1.…`, since
 * different readers could take different ones of several. Throws if STS cannot be reached.
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
    return mapCaller(answer.caller, mappings) ?? refuse(`${answer.caller.arn} is not mapped to a user`);
  };
}
