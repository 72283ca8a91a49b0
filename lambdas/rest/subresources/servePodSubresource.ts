import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { serveBinding } from './serveBinding.ts';
import { serveEviction } from './serveEviction.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';

/** The subresources that clients create. */
const CREATED: Readonly<Record<string, (request: ResourceRequest) => Promise<Response>>> = {
  binding: serveBinding,
  eviction: serveEviction,
};

/** The subresources that open a connection to a pod. */
const STREAMS = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** True for the subresources that only pods have. */
export function isPodSubresource(subresource: string): boolean {
  return Object.hasOwn(CREATED, subresource) || isConnection(subresource);
}

/** True for the subresources, of pods, nodes and Services, whose answers are not objects of the API. */
export function isConnection(subresource: string): boolean {
  return subresource === 'log' || STREAMS.has(subresource);
}

/** Answers the subresources that only pods have. */
export async function servePodSubresource(request: ResourceRequest): Promise<Response> {
  const { subresource, verb, rest } = request.info;
  if (STREAMS.has(subresource)) return (await import('../connect/serveStream.ts')).serveStream(request);
  if (rest.length > 0) throw unknownResource();
  if (subresource === 'log') return (await import('../connect/serveLog.ts')).serveLog(request);
  if (verb !== 'create') throw methodNotAllowed();
  return CREATED[subresource]?.(request) ?? Promise.reject(unknownResource());
}
