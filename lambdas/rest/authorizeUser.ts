import { trailOf } from './audit/beginAudit.ts';
import { accessAttributes, forbiddenError } from './rbac/AccessAttributes.ts';
import type { Authorizer } from './rbac/createRbacAuthorizer.ts';
import { impersonatedUser } from './rbac/impersonatedUser.ts';
import type { UserInfo } from './rbac/UserInfo.ts';
import type { RequestInfo } from './request/RequestInfo.ts';

/** Lets a request of a user through if there are not too many, or throws TooManyRequests. What comes back does the same for its namespace, once the request is authorized. */
export type Admit = (acting: UserInfo | undefined) => Promise<(() => Promise<void>) | undefined>;

export interface AuthorizedRequest {
  readonly raw: Request;
  readonly info: RequestInfo;
  /** Receives what the client should know. */
  readonly warnings: string[];
  /** Absent: everybody may do everything. */
  readonly authorizer: Authorizer | undefined;
  readonly admit: Admit;
}

/** Returns whom the user acts as, after checking that this user may do what the request asks, and not too often. Throws TooManyRequests and Forbidden. */
export async function authorizeUser(
  user: UserInfo,
  { raw, info, warnings, authorizer, admit }: AuthorizedRequest,
): Promise<UserInfo> {
  const trail = trailOf(raw);
  const acting = await impersonatedUser(authorizer, user, raw.headers);
  if (acting !== user) trail?.noteImpersonation(acting);
  // Before the permissions are read, as in Kubernetes: a request that is refused for its number should cost little.
  const enterNamespace = await admit(acting);
  if (authorizer) {
    const attributes = accessAttributes(info);
    const verdict = await authorizer.judge(acting, attributes);
    trail?.noteAuthorization(verdict);
    if (!verdict.isAllowed) throw forbiddenError(acting, attributes);
  } else {
    if (acting !== user) warnings.push(uncheckedWarning(acting));
    trail?.noteAuthorization({ isAllowed: true, reason: '' });
  }
  await enterNamespace?.();
  return acting;
}

/** Someone who impersonates a user wants to see what that user may do, and this server cannot tell. */
function uncheckedWarning({ username }: UserInfo): string {
  return `${JSON.stringify(username)} may do everything, because this server checks no permissions; start it with --rbac to check them`;
}
