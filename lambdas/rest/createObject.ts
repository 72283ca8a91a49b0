import { toStorageVersion } from './convertObject.ts';
import { decodeRequest } from './decodeRequest.ts';
import { placeInNamespace } from './placeInNamespace.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { respondObject } from './respond.ts';
import { parseWriteOptions } from './writeOptions.ts';

/** `POST` to a collection. */
export async function createObject(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const draft = await decodeRequest(request, fieldValidation);
  placeInNamespace(request, draft);
  // Only controllers choose UIDs; a client's is ignored, as Kubernetes does.
  delete (draft.metadata as { uid?: string }).uid;
  const { groupResource } = resource.entry;
  const outcome = await dependencies.registry.create(groupResource, toStorageVersion(resource, draft), { dryRun });
  if (outcome.status === 'refused') throw outcome.error;
  return respondObject(request, outcome.object, 201);
}
