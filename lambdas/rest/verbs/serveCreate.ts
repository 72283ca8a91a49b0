import { toStorageVersion } from '../convertObject.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { placeInNamespace } from '../request/requestTarget.ts';
import { reviewAccess } from '../rbac/reviewAccess.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';

/** `POST` to a collection. What is answered and not kept, an access review, gets its status here. */
export async function serveCreate(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies, user } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const draft = await decodeRequest(request, fieldValidation);
  placeInNamespace(request, draft);
  // Only controllers choose UIDs; a client's is ignored, as Kubernetes does.
  delete (draft.metadata as { uid?: string }).uid;
  const { groupResource, virtual } = resource.entry;
  const outcome = await dependencies.registry.create(groupResource, toStorageVersion(resource, draft), { dryRun });
  if (outcome.status === 'refused') throw outcome.error;
  if (!virtual) return respondObject(request, outcome.object, 201);
  const status = await reviewAccess({ authorizer: dependencies.authorizer, user }, outcome.object);
  return respondObject(request, { ...outcome.object, status }, 201);
}
