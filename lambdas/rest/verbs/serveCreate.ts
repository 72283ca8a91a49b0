import { invalid } from '../../objects/apiErrors.ts';
import { groupKind } from '../../registry/ResourceEntry.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { trackerOf } from '../request/fieldWriter.ts';
import { warnOfFinalizers } from '../request/finalizerWarnings.ts';
import { setNamespace } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { draftWrite } from './draftWrite.ts';
import { reviewStatus } from './reviewStatus.ts';
import { objectForm, respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';

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
