import { goQuote } from '../../objects/go/goQuote.ts';
import type { Clock } from '../../ports/Clock.ts';
import type { Registry } from '../../registry/Registry.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import { checkBoundObjects } from './checkBoundObjects.ts';
import { EXPIRED, ISSUER, isExpired, ServiceAccountTokens, type TokenParts } from './ServiceAccountTokens.ts';
import { type TokenClaims, userOfClaims } from './TokenClaims.ts';

export type TokenVerdict =
  | { readonly status: 'authenticated'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** `error`: why, in Kubernetes' words. It is for a TokenReview; a request with the token gets only a 401. */
  | { readonly status: 'refused'; readonly error: string };

/** Finds out who presents a bearer token that is meant for one of the audiences, by default for the API. */
export type AuthenticateToken = (token: string, audiences?: readonly string[]) => Promise<TokenVerdict>;

export const API_AUDIENCES: readonly string[] = [ISSUER];

export interface TokenReads {
  readonly registry: Pick<Registry, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What signs the tokens of service accounts, and what authenticates them. */
export function openTokens({ signingKeys, ...reads }: TokenReads & Pick<TokenParts, 'signingKeys'>): {
  readonly tokens: ServiceAccountTokens;
  readonly authenticateToken: AuthenticateToken;
} {
  const tokens = new ServiceAccountTokens({ signingKeys, clock: reads.clock });
  return { tokens, authenticateToken: createTokenAuthenticator(tokens, reads) };
}

function createTokenAuthenticator(tokens: ServiceAccountTokens, reads: TokenReads): AuthenticateToken {
  return async (token, audiences) => {
    const verified = await tokens.verify(token);
    return verified.status === 'refused' ? refused(verified.why) : judgeClaims(reads, verified.claims, audiences);
  };
}

/** Decides about claims whose signature was verified, maybe a while ago: their audience, their end, and whether their objects still exist. */
export async function judgeClaims(
  { registry, clock }: TokenReads,
  claims: TokenClaims,
  wanted: readonly string[] = API_AUDIENCES,
): Promise<TokenVerdict> {
  const audiences = claims.aud.filter((one) => wanted.includes(one));
  if (audiences.length === 0) {
    return refused(
      `token audiences ${printTexts(claims.aud)} is invalid for the target audiences ${printTexts(wanted)}`,
    );
  }
  const nowMs = clock.now();
  const why = isExpired(claims, nowMs) ? EXPIRED : await checkBoundObjects(registry, claims, nowMs);
  return why === undefined ? { status: 'authenticated', user: userOfClaims(claims), audiences } : refused(why);
}

function refused(why: string): TokenVerdict {
  return { status: 'refused', error: why === '' ? 'invalid bearer token' : `[invalid bearer token, ${why}]` };
}

/** As Go prints a list of texts with `%q`. */
function printTexts(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}
