import type { TokenReviewSpec } from 'kubernetes-types/authentication/v1.js';
import { badRequest } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { AuthenticateToken } from '../authentication/authenticateToken.ts';
import { reviewAccess } from '../rbac/reviewAccess.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Answers a review, a resource that is not stored: who the sender is, whose token it is, or who may do what. Throws BadRequest for a review without a token. */
export async function reviewStatus({ dependencies, user }: ResourceRequest, review: KubernetesObject): Promise<object> {
  switch (review.kind) {
    case 'SelfSubjectReview':
      if (!user) throw badRequest('no user present on request');
      return { userInfo: printUser(user) };
    case 'TokenReview':
      return await reviewToken(dependencies.authenticateToken, review['spec'] ?? {});
    default:
      return await reviewAccess({ authorizer: dependencies.authorizer, user }, review);
  }
}

async function reviewToken(authenticate: AuthenticateToken, { token = '', audiences = [] }: Partial<TokenReviewSpec>) {
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const verdict = await authenticate(token, audiences.length > 0 ? audiences : undefined);
  if (verdict.status === 'refused') return { user: {}, error: verdict.error };
  return { authenticated: true, user: printUser(verdict.user), audiences: verdict.audiences };
}

/** `authentication.k8s.io/v1` UserInfo, its members in Kubernetes' order. */
function printUser({ username, uid, groups, extra }: UserInfo): object {
  return { username, ...(uid !== undefined && uid !== '' && { uid }), groups, ...(extra && { extra }) };
}
