import { badRequest, invalid } from '../../objects/apiErrors.ts';
import { groupKind } from '../../registry/ResourceEntry.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { trackerOf } from '../request/fieldWriter.ts';
import { warnOfFinalizers } from '../request/finalizerWarnings.ts';
import { setNamespace } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { draftWrite } from './draftWrite.ts';
import { objectForm, respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import type { TokenReviewSpec } from 'kubernetes-types/authentication/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { AuthenticateToken } from '../authentication/authenticateToken.ts';
import { reviewAccess } from '../rbac/reviewAccess.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';

/** Answers a create: `POST` to a collection. A virtual resource (a review) is not stored; it is answered with the status that it asks for. */
export async function serveCreate(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies, user } = request;
  const form = objectForm(request);
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'CreateOptions');
  const draft = await decodeRequest(request, fieldValidation);
  setNamespace(request, draft);
  // A client cannot choose a UID. Like Kubernetes, ignore the one it sends.
  delete (draft.metadata as { uid?: string }).uid;
  // A name that is still to be generated is the empty text to all that look at the object before it is stored, as in Go.
  draft.metadata.name ??= '';
  warnOfFinalizers(request, draft);
  const { groupResource, virtual, strategy } = resource.entry;
  const errors = resource.version.validateNew?.(draft) ?? [];
  if (errors.length > 0) throw invalid(groupKind(resource.entry), draft.metadata.name, errors);
  const { object, options } = draftWrite(request, draft, dryRun, trackerOf(request, fieldManager));
  strategy.setRequester?.(object, user);
  const outcome = await dependencies.registry.create(groupResource, object, options);
  if (outcome.status === 'refused') throw outcome.error;
  if (!virtual) return respondObject(request, outcome.object, 201, form);
  const status = await reviewStatus(request, outcome.object);
  return respondObject(request, { ...outcome.object, status }, 201, form);
}

/** Answers a review, a resource that is not stored: who the sender is, whose token it is, or who may do what. Throws BadRequest for a review without a token. */
async function reviewStatus({ dependencies, user }: ResourceRequest, review: KubernetesObject): Promise<object> {
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
