import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { parseDeleteOptions } from '../request/deleteOptions.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { listForm, objectForm, respondList, respondObject, respondStatus } from '../response/respond.ts';
import type { Status } from '../response/statusOf.ts';
import type { ServedResource } from '../ServedGroup.ts';
import { keyOf } from '../request/requestTarget.ts';
import { loaded, readPage } from '../list/serveList.ts';
import { parseListOptions } from '../list/listOptions.ts';
import type { ListedObject } from '../../ports/ObjectStore.ts';
import type { DeleteOptions } from '../../registry/Registry.ts';

/** Resources that answer a finished deletion with the object; the others answer with a Status. */
const RETURNS_DELETED = new Set(['pods', 'services', 'serviceaccounts', 'resourcequotas']);

/** Answers a delete: with a Status if the object is gone, with the object if it waits for its grace period or its finalizers. */
export async function serveDelete(request: ResourceRequest): Promise<Response> {
  const form = objectForm(request);
  const { options, cascades } = await parseDeleteOptions(request);
  const outcome = await request.dependencies.registry.delete(keyOf(request), options);
  if (outcome.status === 'refused') throw outcome.error;
  if (outcome.status === 'deleting') return respondObject(request, outcome.object, cascades ? 202 : 200, form);
  if (RETURNS_DELETED.has(request.resource.entry.groupResource))
    return respondObject(request, outcome.object, 200, form);
  return respondStatus(request.raw, deletedStatus(request.resource, outcome.object), 200, form);
}

function deletedStatus({ entry, group }: ServedResource, { metadata }: KubernetesObject): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...(group !== '' && { group }), kind: entry.plural, uid: metadata.uid },
  };
}

/** The number of objects of a collection that are deleted at the same time. */
const CONCURRENCY = 8;

/** Answers a deletecollection: deletes the selected objects, several at a time. Answers with the list of them. */
export async function serveDeleteCollection(request: ResourceRequest): Promise<Response> {
  const form = listForm(request);
  const list = parseListOptions(request.query, false);
  const { options } = await parseDeleteOptions(request);
  const { items, position } = await readPage(request, list);
  const waiting = items.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, () => deleteAll(request, waiting, options)));
  return respondList(request, loaded(items), { resourceVersion: String(position) }, form);
}

/** One of several workers that take objects from a shared iterator and delete them. */
async function deleteAll(
  { resource, dependencies }: ResourceRequest,
  waiting: Iterator<ListedObject>,
  options: DeleteOptions,
): Promise<void> {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const { namespace, name } = next.value;
    const outcome = await dependencies.registry.delete(
      { resource: resource.entry.groupResource, namespace, name },
      options,
    );
    // If the object is gone already, somebody else has done the work.
    if (outcome.status === 'refused' && outcome.error.reason !== 'NotFound') throw outcome.error;
  }
}
