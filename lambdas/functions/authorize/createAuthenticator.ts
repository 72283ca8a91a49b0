import type { Clock } from '../../ports/Clock.ts';
import type { InstanceNames } from '../../ports/InstanceNames.ts';
import type { VerifiedToken } from '../../rest/authentication/ServiceAccountTokens.ts';
import { type TokenClaims, userOfClaims } from '../../rest/authentication/TokenClaims.ts';
import type { StsAnswer } from './askSts.ts';
import { type IdentityMapping, type MappedUser, mapCaller } from './mapCaller.ts';
import { parseBearerToken } from './parseBearerToken.ts';

export interface AuthorizeDeps {
  readonly clock: Clock;
  readonly partition: string;
  readonly mappings: readonly IdentityMapping[];
  /** Asks STS, with this stack's id in the signed header. */
  readonly ask: (url: URL) => Promise<StsAnswer>;
  readonly instanceNames: InstanceNames;
  /** Verifies who signed a JSON Web Token. */
  readonly verify: (token: string) => Promise<VerifiedToken>;
  /** Called with the reason when a token is refused, but never with the token. The client gets only a 401. */
  readonly onRefused?: (why: string) => void;
}

/** A user, and the claims of the token if it is a service account. */
export type AuthenticatedUser = MappedUser & { readonly claims?: TokenClaims };

/** Returns the user who sends a request with these `Authorization` values; `undefined` if unknown, which is a 401. */
export type Authenticate = (authorization: readonly string[]) => Promise<AuthenticatedUser | undefined>;

/**
 * Authenticates requests by IAM identity, as `aws eks get-token` presents it in a `k8s-aws-v1.…`, and by the token of a service account, whose objects the API checks. A request must have exactly one
 * `Authorization: Bearer …`, since different readers could take different ones of several. Throws if STS, EC2 or the table with the key cannot be reached.
 */
export function createAuthenticator({
  clock,
  partition,
  mappings,
  ask,
  instanceNames,
  verify,
  onRefused,
}: AuthorizeDeps): Authenticate {
  const refuse = (why: string) => {
    onRefused?.(why);
    return undefined;
  };
  return async (authorization) => {
    const [value, ...others] = authorization;
    const token = /^Bearer ([^\s,]+)$/i.exec(value ?? '')?.[1];
    if (token === undefined || others.length > 0) return refuse('there is not exactly one bearer token');
    if (isWebToken(token)) {
      const verified = await verify(token);
      if (verified.status === 'refused') return refuse(verified.why || 'the token was not signed here');
      return accountOf(verified.claims);
    }
    const parsed = parseBearerToken(token, { partition, nowMs: clock.now() });
    if (parsed.status === 'refused') return refuse(parsed.why);
    const answer = await ask(parsed.url);
    if (answer.status === 'refused') return refuse(answer.why);
    const mapped = await mapCaller(answer.caller, mappings, instanceNames);
    return mapped.status === 'mapped' ? mapped.user : refuse(mapped.why);
  };
}

/** A JSON Web Token has three parts, a token of IAM has two. */
function isWebToken(token: string): boolean {
  return token.split('.').length === 3;
}

function accountOf(claims: TokenClaims): AuthenticatedUser {
  const { username, uid = '', groups } = userOfClaims(claims);
  return { username, uid, groups, claims };
}
