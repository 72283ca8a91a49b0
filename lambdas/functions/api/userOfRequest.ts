import type { UserOf } from '../../rest/createApiApp.ts';
import { judgeClaims, type TokenReads } from '../../rest/authentication/authenticateToken.ts';
import type { ApiEnvironment } from './fromProxyEvent.ts';

/**
 * Identifies the user by what the authorizer has found. API Gateway remembers that for a while, so what can change meanwhile is checked with each request: that a service account's token has not
 * expired, and that the objects that it names still exist.
 */
export function userOfRequest(reads: TokenReads): UserOf {
  return async (passed) => {
    const { user } = passed as ApiEnvironment;
    if (!user?.claims) return user;
    const verdict = await judgeClaims(reads, user.claims);
    return verdict.status === 'authenticated' ? verdict.user : undefined;
  };
}
