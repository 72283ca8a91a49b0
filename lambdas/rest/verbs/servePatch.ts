import { toServedVersion, toStorageVersion } from '../convertObject.ts';
import { requireObject } from './serveGet.ts';
import { checkPlace, updatedSubresource } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { decodePatchRequest } from '../request/decodeRequest.ts';

/** apiserver's MaxRetryWhenPatchConflicts. */
const ATTEMPTS = 5;

/**
 * `PATCH` of an object or its status: read, apply, write on the condition that it is still what was read, and again if it is not. A patch that pins a
 * resourceVersion is tried once: it means that version and no other.
 */
export async function servePatch(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'PatchOptions');
  const patch = await decodePatchRequest(request, fieldValidation);
  for (let attempt = 1; ; attempt++) {
    const current = await requireObject(request);
    const patched = patch(toServedVersion(resource, current));
    checkPlace(request, patched);
    const pinned = patched.metadata.resourceVersion !== current.metadata.resourceVersion;
    const outcome = await dependencies.registry.update(
      resource.entry.groupResource,
      toStorageVersion(resource, patched),
      {
        dryRun,
        from: current,
        ...updatedSubresource(request),
      },
    );
    if (outcome.status === 'stored') return respondObject(request, outcome.object);
    if (outcome.error.reason !== 'Conflict' || pinned || attempt >= ATTEMPTS) throw outcome.error;
  }
}
