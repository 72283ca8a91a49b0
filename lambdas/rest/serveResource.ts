import type { ResourceEntry, Verb } from '../registry/ResourceEntry.ts';
import { apiServices } from '../registry/resources/apiServices.ts';
import { bindings } from '../registry/resources/bindings.ts';
import { componentStatuses } from '../registry/resources/componentStatuses.ts';
import { podMetrics } from '../registry/resources/metrics.ts';
import { serveApiServices } from './discovery/serveApiServices.ts';
import { serveComponentStatuses } from './serveComponentStatuses.ts';
import { serveCreate } from './verbs/serveCreate.ts';
import { serveDelete, serveDeleteCollection } from './verbs/serveDelete.ts';
import { serveGet } from './verbs/serveGet.ts';
import { serveList } from './list/serveList.ts';
import { servePatch } from './verbs/servePatch.ts';
import type { ResourceRequest } from './request/ResourceRequest.ts';
import { serveBinding } from './subresources/serveBinding.ts';
import { isConnection, isPodSubresource, servePodSubresource } from './subresources/servePodSubresource.ts';
import { serveScale } from './subresources/serveScale.ts';
import { serveTokenRequest } from './subresources/serveTokenRequest.ts';
import { ApiError } from '../objects/ApiError.ts';
import { badRequest, notFound } from '../objects/apiErrors.ts';
import { requireMediaType } from './response/negotiate.ts';
import { methodNotAllowed, methodNotSupported, PageNotFoundError, unknownResource } from './response/statusOf.ts';
import type { ServedResource } from './ServedGroup.ts';
import { serveUpdate } from './verbs/serveUpdate.ts';
import { serveWatch } from './watch/serveWatch.ts';

type Handler = (request: ResourceRequest) => Promise<Response>;

const VERB_HANDLERS: Readonly<Record<Verb, Handler>> = {
  get: serveGet,
  list: serveList,
  watch: serveWatch,
  create: serveCreate,
  update: serveUpdate,
  patch: servePatch,
  delete: serveDelete,
  deletecollection: serveDeleteCollection,
};
const STATUS_VERBS = new Set(['get', 'update', 'patch']);

/** The annotation of audit events by which Kubernetes marks requests for a deprecated version (`metrics.go`). No version that is served here has a release in which it is removed, so there is no `k8s.io/removed-release`. */
const DEPRECATED = 'k8s.io/deprecated';

/** Passes a request for a served resource to the handler of its verb or subresource. Throws 404 for a path without a resource, 405 for a verb that it does not serve. */
export async function serveResource(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  const warning = resource.entry.custom?.deprecationWarning;
  if (warning !== undefined) request.warnings.push(warning);
  if (warning !== undefined || resource.entry.warning !== undefined) request.annotate?.(DEPRECATED, 'true');
  checkScope(request);
  if (resource.entry.warning !== undefined) request.warnings.push(resource.entry.warning);
  // What a connection answers is the backend's.
  if (!isConnection(info.subresource))
    requireMediaType(request.raw.headers.get('accept'), resource.entry.custom !== undefined);
  if (resource.entry.actions?.[info.subresource]) return serveAction(request);
  const refusal = customRefusal(request);
  if (refusal) throw refusal;
  if (info.subresource !== '') return serveSubresource(request);
  const verb = resource.entry.verbs.find((one) => one === info.verb);
  if (!verb || isWrongPath(verb, request)) throw methodNotAllowed();
  if (resource.entry.groupResource === apiServices.groupResource) return serveApiServices(request);
  if (resource.entry.groupResource === componentStatuses.groupResource) return serveComponentStatuses(request);
  if (resource.entry.group === podMetrics.group)
    return (await import('./metrics/serveMetrics.ts')).serveMetrics(request);
  if (resource.entry.groupResource === bindings.groupResource) return serveBinding(request);
  return VERB_HANDLERS[verb](request);
}

/** Passes what is posted to an action to the composition that serves it. */
async function serveAction(request: ResourceRequest): Promise<Response> {
  const { info, resource, dependencies } = request;
  if (info.rest.length > 0) throw unknownResource();
  const serve = dependencies.actions?.[`${resource.entry.groupResource}/${info.subresource}`];
  if (!serve || info.method !== 'POST') throw methodNotAllowed();
  return await serve(request);
}

/**
 * True for a verb on the wrong kind of path: a create needs a collection (of a custom resource it overlooks the name), an update or patch an object. A legacy `/watch/` path allows
 * only GET and HEAD.
 */
function isWrongPath(verb: Verb, { info: { isCollection, method }, resource }: ResourceRequest): boolean {
  if (verb === 'create') return !isCollection && !resource.entry.custom;
  if (verb === 'update' || verb === 'patch') return isCollection;
  return verb === 'watch' && method !== 'GET' && method !== 'HEAD';
}

/** Checks that a namespaced resource is requested in a namespace and others are not. Only lists and watches may cover all namespaces. */
function checkScope({ info, resource }: ResourceRequest): void {
  const { namespaced, plural } = resource.entry;
  // A Namespace has its own name as its namespace, but no namespace contains others. Otherwise a user who may do everything in one namespace could reach the others.
  const isItsOwn = plural === 'namespaces' && !info.isCollection && info.name === info.namespace;
  const inNamespace = info.namespace !== '' && !isItsOwn;
  if (!namespaced) {
    if (inNamespace) throw wrongScope(resource);
    return;
  }
  if (inNamespace || info.verb === 'list' || info.verb === 'watch') return;
  if (resource.entry.custom) throw new PageNotFoundError();
  throw info.isCollection ? methodNotAllowed() : unknownResource();
}

function wrongScope({ entry }: ServedResource): Error {
  return entry.custom ? new PageNotFoundError() : unknownResource();
}

/** Kubernetes' answers for what a custom resource does not serve; `undefined` for what it does. */
function customRefusal({ info, resource, dependencies }: ResourceRequest): Error | undefined {
  const { entry } = resource;
  if (!entry.custom) return undefined;
  const { groupResource, group, kind } = entry;
  if (entry.custom.conversion && !dependencies.conversions && resource.apiVersion !== resource.storageApiVersion) {
    const why = 'this server calls no conversion webhooks; use the storage version';
    return new ApiError(
      'NotImplemented',
      `conversion webhook for ${resource.storageApiVersion}, Kind=${kind} failed: ${why}`,
      { group, kind },
    );
  }
  if (info.subresource !== '') {
    const isServed = (info.subresource === 'status' && entry.status) || (info.subresource === 'scale' && entry.scale);
    if (!isServed || info.rest.length > 0) return notFound(groupResource, info.name);
    return STATUS_VERBS.has(info.verb) ? undefined : methodNotSupported(groupResource, info.verb);
  }
  return info.isCollection && (info.verb === 'update' || info.verb === 'patch')
    ? badRequest('name must be provided')
    : undefined;
}

/** True for a subresource that shows the object itself and changes a part of it. */
function servesPart({ status, approval, strategy }: ResourceEntry, subresource: string): boolean {
  if (subresource === 'status') return status === true;
  return subresource === 'approval' ? approval === true : strategy.parts?.[subresource] !== undefined;
}

async function serveSubresource(request: ResourceRequest): Promise<Response> {
  const { info, resource } = request;
  const { entry } = resource;
  const isPods = entry.groupResource === 'pods';
  if (isPods && isPodSubresource(info.subresource)) return servePodSubresource(request);
  if (info.subresource === 'proxy' && entry.groupResource === 'nodes')
    return (await import('./connect/serveNodeProxy.ts')).serveNodeProxy(request);
  if (info.subresource === 'proxy' && entry.groupResource === 'services')
    return (await import('./connect/serveServiceProxy.ts')).serveServiceProxy(request);
  if (info.rest.length > 0) throw unknownResource();
  if (info.subresource === 'token' && entry.groupResource === 'serviceaccounts') return serveTokenRequest(request);
  if (info.subresource === 'scale' && entry.scale) return serveScale(request);
  if (info.subresource === 'finalize' && entry.groupResource === 'namespaces') {
    if (info.verb !== 'update') throw methodNotAllowed();
    return serveUpdate(request);
  }
  if (!servesPart(entry, info.subresource)) throw unknownResource();
  const verb = entry.verbs.find((one) => one === info.verb && STATUS_VERBS.has(one));
  if (!verb) throw methodNotAllowed();
  return VERB_HANDLERS[verb](request);
}
