import { notFound } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { keyOf } from '../request/requestTarget.ts';
import { respondObject } from '../response/respond.ts';

/** `GET` of one object, or of its status. Reads are always the newest, so a resourceVersion in the query asks for nothing more. */
export async function serveGet(request: ResourceRequest): Promise<Response> {
  return respondObject(request, await requireObject(request));
}

/** The stored object that the URL names. Throws NotFound. */
export async function requireObject(request: ResourceRequest): Promise<KubernetesObject> {
  const key = keyOf(request);
  const object = await request.dependencies.registry.get(key);
  if (!object) throw notFound(key.resource, key.name);
  return object;
}
