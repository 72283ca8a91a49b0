import { toServedVersion, toStorageVersion } from './convertObject.ts';
import { requireObject } from './getObject.ts';
import { patchDocument } from './patchDocument.ts';
import { checkPlace } from './placeInNamespace.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { respondObject } from './respond.ts';
import { updatedSubresource } from './updatedSubresource.ts';
import { parseWriteOptions } from './writeOptions.ts';

/** apiserver's MaxRetryWhenPatchConflicts. */
const ATTEMPTS = 5;

/**
 * `PATCH` of an object or its status: read, apply, write on the condition that it is still what was read, and again if it is not. A patch that pins a
 * resourceVersion is tried once: it means that version and no other.
 */
export async function patchObject(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'PatchOptions');
  const patch = await patchDocument(request, fieldValidation);
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
