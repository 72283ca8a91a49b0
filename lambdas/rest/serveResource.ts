import type { Verb } from '../registry/ResourceEntry.ts';
import { createObject } from './createObject.ts';
import { deleteCollection } from './deleteCollection.ts';
import { deleteObject } from './deleteObject.ts';
import { getObject } from './getObject.ts';
import { listObjects } from './listObjects.ts';
import { patchObject } from './patchObject.ts';
import type { RequestInfo } from './RequestInfo.ts';
import type { ResourceRequest } from './ResourceRequest.ts';
import { isPodSubresource, servePodSubresource } from './servePodSubresource.ts';
import { serveRollback } from './serveRollback.ts';
import { serveScale } from './serveScale.ts';
import { methodNotAllowed, unknownResource } from './statusOf.ts';
import { updateObject } from './updateObject.ts';
import { watchObjects } from './watchObjects.ts';

type Handler = (request: ResourceRequest) => Promise<Response>;

const VERB_HANDLERS: Readonly<Record<Verb, Handler>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};
const STATUS_VERBS = new Set(['get', 'update', 'patch']);

/** Sends a request for a served resource to its handler. Throws the 404 of a place where nothing is, and the 405 of a verb that is not served there. */
export async function serveResource(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  checkScope(request);
  if (info.subresource !== '') return serveSubresource(request);
  const verb = resource.entry.verbs.find((one) => one === info.verb);
  if (!verb || isMisplaced(verb, info)) throw methodNotAllowed();
  return VERB_HANDLERS[verb](request);
}

/** An object is created in its collection, and changed at its own path; a watch is read, also by a path that says `watch`. */
function isMisplaced(verb: Verb, { isCollection, method }: RequestInfo): boolean {
  if (verb === 'create') return !isCollection;
  if (verb === 'update' || verb === 'patch') return isCollection;
  return verb === 'watch' && method !== 'GET' && method !== 'HEAD';
}

/** Namespaced objects stand in a namespace, others do not; only collections may be asked for over all namespaces. */
function checkScope({ info, resource }: ResourceRequest): void {
  const { namespaced, plural } = resource.entry;
  // A namespace stands in itself, but there are none below it: who may do everything in one namespace would reach the others that way.
  const isItsOwn = plural === 'namespaces' && !info.isCollection && info.name === info.namespace;
  const inNamespace = info.namespace !== '' && !isItsOwn;
  if (!namespaced) {
    if (inNamespace) throw unknownResource();
    return;
  }
  if (inNamespace || info.verb === 'list' || info.verb === 'watch') return;
  throw info.isCollection ? methodNotAllowed() : unknownResource();
}

async function serveSubresource(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  const { entry } = resource;
  const isPods = entry.groupResource === 'pods';
  if (isPods && isPodSubresource(info.subresource)) return servePodSubresource(request);
  if (info.rest.length > 0) throw unknownResource();
  if (info.subresource === 'scale' && entry.scale) return serveScale(request);
  if (info.subresource === 'rollback' && entry.groupResource === 'deployments.apps') return serveRollback(request);
  if (info.subresource === 'finalize' && entry.groupResource === 'namespaces') {
    if (info.verb !== 'update') throw methodNotAllowed();
    return updateObject(request);
  }
  if (info.subresource !== 'status' || !entry.status) throw unknownResource();
  const verb = entry.verbs.find((one) => one === info.verb && STATUS_VERBS.has(one));
  if (!verb) throw methodNotAllowed();
  return VERB_HANDLERS[verb](request);
}
