import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { parseDeleteOptions } from '../request/deleteOptions.ts';
import { keyOf } from './serveGet.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondObject, respondValue } from '../response/respond.ts';
import type { ServedResource } from '../ServedResources.ts';

/** Resources whose storage answers a finished deletion with the object, where the others answer with a Status. */
const RETURNS_DELETED = new Set(['pods', 'services', 'serviceaccounts', 'resourcequotas']);

/** `DELETE` of an object: a Status if it is gone, the object if it waits for its grace period or its finalizers. */
export async function serveDelete(request: ResourceRequest): Promise<Response> {
  const { options, cascades } = await parseDeleteOptions(request);
  const outcome = await request.dependencies.registry.delete(keyOf(request), options);
  if (outcome.status === 'refused') throw outcome.error;
  if (outcome.status === 'deleting') return respondObject(request, outcome.object, cascades ? 202 : 200);
  if (RETURNS_DELETED.has(request.resource.entry.groupResource)) return respondObject(request, outcome.object);
  return respondValue(request.raw, deletedStatus(request.resource, outcome.object));
}

function deletedStatus({ entry, group }: ServedResource, { metadata }: KubernetesObject): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...(group !== '' && { group }), kind: entry.plural, uid: metadata.uid },
  };
}
