import { toServedVersion } from '../convertObject.ts';
import { refuseOtherUid } from './refuseOtherUid.ts';
import { requireObject } from './serveGet.ts';
import { warnOfFinalizers } from '../request/finalizerWarnings.ts';
import { trackerOf } from '../request/fieldWriter.ts';
import { CONFLICT_ATTEMPTS, isApply, serveApply } from './serveApply.ts';
import { checkNameAndNamespace } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { draftWrite } from './draftWrite.ts';
import { objectForm, respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { decodePatchRequest } from '../request/decodeRequest.ts';

/**
 * Answers a patch of an object or its status: reads the object, applies the patch, and writes the result if the object has not changed meanwhile; otherwise
 * it starts again. A patch that sets a resourceVersion is tried once, because it means that version only.
 */
export async function servePatch(request: ResourceRequest): Promise<Response> {
  if (isApply(request.raw)) return serveApply(request);
  const { resource, dependencies } = request;
  const form = objectForm(request);
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'PatchOptions');
  const patch = await decodePatchRequest(request, fieldValidation);
  for (let attempt = 1; ; attempt++) {
    const begun = request.budget.attempt();
    const current = await requireObject(request);
    const patched = patch(toServedVersion(resource, current));
    checkNameAndNamespace(request, patched);
    refuseOtherUid(request, patched, current);
    warnOfFinalizers(request, patched, current);
    const pinned = patched.metadata.resourceVersion !== current.metadata.resourceVersion;
    const { object, options } = draftWrite(request, patched, dryRun, trackerOf(request, fieldManager));
    const outcome = await dependencies.registry.update(resource.entry.groupResource, object, {
      ...options,
      from: current,
    });
    if (outcome.status === 'stored') return respondObject(request, outcome.object, 200, form);
    if (outcome.error.reason !== 'Conflict' || pinned || attempt >= CONFLICT_ATTEMPTS) throw outcome.error;
    begun.undo();
  }
}
