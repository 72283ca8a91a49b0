import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { parseDeleteOptions } from '../request/deleteOptions.ts';
import { readPage } from '../list/serveList.ts';
import { parseListOptions } from '../list/listOptions.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondList } from '../response/respond.ts';
import type { DeleteOptions } from '../../registry/Registry.ts';

/** How many of a collection's objects are being deleted at once. */
const CONCURRENCY = 8;

/** `DELETE` of a collection: of what its selectors select, one by one. Answers with what there was. */
export async function serveDeleteCollection(request: ResourceRequest): Promise<Response> {
  const list = parseListOptions(request.query, false);
  const { options } = await parseDeleteOptions(request);
  const { items, position } = await readPage(request, list);
  const waiting = items.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, () => deleteAll(request, waiting, options)));
  return respondList(request, items, { resourceVersion: String(position) });
}

/** Takes objects from an iterator that its like take from too. */
async function deleteAll(
  { resource, dependencies }: ResourceRequest,
  waiting: Iterator<KubernetesObject>,
  options: DeleteOptions,
): Promise<void> {
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const { namespace = '', name } = next.value.metadata;
    const outcome = await dependencies.registry.delete(
      { resource: resource.entry.groupResource, namespace, name },
      options,
    );
    // Who was quicker did what was asked for.
    if (outcome.status === 'refused' && outcome.error.reason !== 'NotFound') throw outcome.error;
  }
}
