import { notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { awaitVersion } from '../list/serveList.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { keyOf } from '../request/requestTarget.ts';
import { respondObject } from '../response/respond.ts';

/**
 * Answers a get: `GET` of one object, or of its status. A read always returns the newest state, so a resourceVersion in the query only matters if this server
 * has not reached it. Throws NotFound, and Timeout for a version that does not come.
 */
export async function serveGet(request: ResourceRequest): Promise<Response> {
  const version = Number(request.query.get('resourceVersion') ?? '');
  if (Number.isSafeInteger(version) && version > 0) await awaitVersion(request, version);
  return respondObject(request, await requireObject(request));
}

/** Reads the stored object that the URL names. Throws NotFound. */
export async function requireObject(request: ResourceRequest): Promise<KubernetesObject> {
  const key = keyOf(request);
  const object = await request.dependencies.registry.get(key);
  if (!object) throw notFound(key.resource, key.name);
  return object;
}
