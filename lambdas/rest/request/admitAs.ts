import type { Annotate, RequestAttributes } from '../../registry/admission/dynamic/RequestAttributes.ts';
import type { DeleteOptions, Registry, WriteOptions } from '../../registry/Registry.ts';
import type { Requester } from '../../registry/Requester.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import type { Authorizer } from '../rbac/createRbacAuthorizer.ts';
import type { UserInfo } from '../rbac/UserInfo.ts';
import type { ServedResource } from '../ServedGroup.ts';
import type { RequestInfo } from './RequestInfo.ts';

/** What the request of a client has for admission. */
export interface AdmittedRequest {
  readonly info: RequestInfo;
  readonly resource: ServedResource;
  readonly query: URLSearchParams;
  readonly user?: UserInfo | undefined;
  /** Absent: everyone may do everything. */
  readonly authorizer: Authorizer | undefined;
  readonly warnings: string[];
  readonly budget: RequestBudget;
  readonly annotate?: Annotate | undefined;
}

/** Who sends a request to a server without authentication, as on Kubernetes' former insecure port. */
const UNSECURED: Requester = { username: 'system:unsecured', groups: ['system:masters', 'system:authenticated'] };

/** The subresource that its handler admits under its own name, and for which it writes something else. */
const ADMITTED_BY_HANDLER = 'eviction';

/**
 * The registry for a client's request: webhooks and policies see each write of the request's resource as this request. What the server writes for it besides is not admitted, as in
 * Kubernetes: a budget that counts an eviction. What is created and updated draws on the request's budget.
 */
export function admitAs(registry: Registry, request: AdmittedRequest): Registry {
  const attributes = attributesOf(request);
  const { groupResource } = request.resource.entry;
  const isOwn = (resource: string) =>
    (resource === groupResource || groupResource === 'bindings') && request.info.subresource !== ADMITTED_BY_HANDLER;
  // The registry applies the rules of a custom object's version.
  const { entry, version: served } = request.resource;
  const version = entry.custom ? { version: served.version } : {};
  const admitted = <O extends WriteOptions>(resource: string, options: O | undefined, more = {}): O => {
    const asked = isOwn(resource) ? { ...attributes, options: { ...attributes.options, ...more } } : 'admitted';
    return { ...(resource === groupResource && version), request: asked, ...(options as O) };
  };
  const drawing = <O extends WriteOptions>(options: O): O => ({ ...options, budget: request.budget });
  return {
    ...registry,
    create: (resource, object, options) => registry.create(resource, object, drawing(admitted(resource, options))),
    update: (resource, object, options) => registry.update(resource, object, drawing(admitted(resource, options))),
    // Each object of a collection is deleted on a budget of its own: however many there are, a client could delete them one by one.
    delete: (key, options) => registry.delete(key, admitted(key.resource, options, deleteOptionsOf(options))),
  };
}

/** The attributes of a request as far as its path, its query and its user say them. */
export function attributesOf({
  info,
  resource,
  query,
  user,
  authorizer,
  warnings,
  annotate,
}: AdmittedRequest): RequestAttributes {
  return {
    user: user ?? UNSECURED,
    allows: authorizer && ((who, access) => authorizer.allows(who, access)),
    group: resource.group,
    version: resource.version.version,
    subresource: info.subresource,
    name: info.name,
    options: wireOptions(query),
    warn: (warning) => void warnings.push(warning),
    annotate,
  };
}

function wireOptions(query: URLSearchParams): Record<string, unknown> {
  const given = ['fieldManager', 'fieldValidation'].map((name) => [name, query.get(name) ?? '']);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function deleteOptionsOf({ gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions = {}): object {
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions }),
    ...(propagationPolicy && { propagationPolicy }),
  };
}
