import { decodeRequest } from '../request/decodeRequest.ts';
import { trackerOf } from '../request/fieldWriter.ts';
import { checkNameAndNamespace, keyOf } from '../request/requestTarget.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { draftWrite } from './draftWrite.ts';
import { objectForm, respondObject } from '../response/respond.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { accessAttributes, forbiddenError } from '../rbac/AccessAttributes.ts';

/** Answers an update: `PUT` of an object, its status, or a namespace's finalizers. Some resources allow a PUT to create the object; the answer is then 201. */
export async function serveUpdate(request: ResourceRequest): Promise<Response> {
  const { resource, dependencies } = request;
  const form = objectForm(request);
  const { dryRun, fieldValidation, fieldManager } = parseWriteOptions(request.query, 'UpdateOptions');
  const draft = await decodeRequest(request, fieldValidation);
  checkNameAndNamespace(request, draft);
  const creates = resource.entry.strategy.allowCreateOnUpdate && !(await dependencies.registry.get(keyOf(request)));
  if (creates) await requireCreate(request);
  const { object, options } = draftWrite(request, draft, dryRun, trackerOf(request, fieldManager));
  const outcome = await dependencies.registry.update(resource.entry.groupResource, object, options);
  if (outcome.status === 'refused') throw outcome.error;
  return respondObject(request, outcome.object, creates ? 201 : 200, form);
}

/** Checks that the user may create, because this update will. Throws Forbidden. */
export async function requireCreate({ info, user, dependencies: { authorizer } }: ResourceRequest): Promise<void> {
  if (!authorizer || !user) return;
  const attributes = accessAttributes({ ...info, verb: 'create' });
  if (!(await authorizer.allows(user, attributes))) throw forbiddenError(user, attributes);
}
