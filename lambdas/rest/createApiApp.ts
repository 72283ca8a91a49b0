import { Hono } from 'hono';
import type { Registry as MetricsRegistry } from 'prom-client';
import { ApiError } from '../objects/ApiError.ts';
import { requestTimeout } from '../objects/apiErrors.ts';
import { RequestBudget } from '../objects/RequestBudget.ts';
import type { Ids } from '../ports/Ids.ts';
import { StoreTimeoutError } from '../ports/ObjectStore.ts';
import type { Registry, RegistryUntil } from '../registry/Registry.ts';
import type { ResourceCatalog } from '../registry/ResourceCatalog.ts';
import { readsInVersion, toVersionOf } from '../registry/customresources/conversion/storeInVersion.ts';
import { auditAnswer, auditIdOf, auditUpgrade } from './audit/auditAnswer.ts';
import { type AuditOptions, beginAudit, trailOf } from './audit/beginAudit.ts';
import { type Admit, authorizeUser } from './authorizeUser.ts';
import type { UserInfo } from './rbac/UserInfo.ts';
import { DiscoveredMetrics } from './metrics/DiscoveredMetrics.ts';
import { isMetricsVersion } from './metrics/metricsGroups.ts';
import { refuseWebPages } from './request/refuseWebPages.ts';
import { HeldLists } from './list/HeldLists.ts';
import { LaterPages } from './list/LaterPages.ts';
import { admitAs } from './request/admitAs.ts';
import { logInVersion } from './watch/logInVersion.ts';
import { limitLifetime } from './request/limitLifetime.ts';
import { FlowControl, type FlowControlOptions } from './flowcontrol/FlowControl.ts';
import { type RequestInfo, resolveRequestInfo } from './request/RequestInfo.ts';
import { type CountRequest, createRequestMetrics } from './requestMetrics.ts';
import { showAnswer } from './response/answerChannel.ts';
import { respondError, respondValue } from './response/respond.ts';
import { createServedResources } from './ServedResources.ts';
import type { ServedResource } from './ServedGroup.ts';
import { serveDiscovery } from './discovery/serveDiscovery.ts';
import { serveOpenId } from './discovery/serveOpenId.ts';
import { serveHealth } from './serveHealth.ts';
import { serveOpenApi } from './discovery/serveOpenApi.ts';
import { serveResource } from './serveResource.ts';
import type { CurrentOpenApi } from './schema/openapi/createCatalogOpenApi.ts';
import { warningHeaders } from './response/warningHeaders.ts';
import { serverVersion } from './discovery/serverVersion.ts';
import { internalError, methodNotAllowed, PageNotFoundError, unknownResource } from './response/statusOf.ts';
import type { Annotate } from '../registry/admission/dynamic/RequestAttributes.ts';
import type { Tracing } from '../ports/Tracing.ts';
import { traceRequest } from './tracing/traceRequest.ts';
import type { AcceptUpgrade, ApiDependencies } from './request/ResourceRequest.ts';
import { guardGrants } from './rbac/checkEscalation.ts';
import { guardSigners } from './rbac/guardSigners.ts';
import { nodeNameOf } from './nodeauthorizer/nodeUser.ts';
import { restrictNode } from './nodeauthorizer/restrictNode.ts';

/**
 * Identifies the user by what the runtime passes alongside the request (`env`), or by a token in the request that it verifies. It trusts nothing else that the client sends. `undefined` is answered
 * with 401.
 */
export type UserOf = (env: unknown, request: Request) => UserInfo | undefined | Promise<UserInfo | undefined>;

/** What a host passes alongside a request whose connection can change its protocol. */
export interface UpgradableEnvironment {
  readonly acceptUpgrade: AcceptUpgrade;
}

/** What a host passes alongside a request for a path of its own. The API decides whether the client may have it, and tells the audit log and the metrics of it, as of its own paths. */
export interface OwnPathEnvironment {
  readonly answerOwnPath: () => Promise<Response>;
}

export interface ApiAppOptions extends Omit<ApiDependencies, 'served'> {
  /** Required if there is an `authorizer`: a request without a user gets a 401. Without both, nobody has a name. */
  readonly userOf?: UserOf | undefined;
  /** The time after its arrival during which a request may write; milliseconds. */
  readonly requestLifetimeMs: number;
  /** Makes the registry of a request, whose calls end with it; absent if the store always answers at once. */
  readonly registryUntil?: RegistryUntil | undefined;
  readonly catalog: ResourceCatalog;
  /** What stands before the paths of the API from a client's point of view: `/k8s`. Absent: nothing. */
  readonly basePath?: string | undefined;
  /** The registry of the request metrics, which `/metrics` prints. */
  readonly metrics: MetricsRegistry;
  /** The host names (without port) under which a server without authentication may be called; see refuseWebPages.ts. Absent: any host name. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Makes the budget of a request, for who wants to read what requests take. Absent: each has a new one. */
  readonly createBudget?: (() => RequestBudget) | undefined;
  /** What is recorded of requests in an audit log, and where. Absent: nothing. */
  readonly audit?: AuditOptions | undefined;
  /** Makes the ids that answers have in `Audit-Id`, if others than `ids`: what a seed decides must not depend on how many requests come. */
  readonly requestIds?: Pick<Ids, 'uid'> | undefined;
  /** How many requests a second users and namespaces have. Absent: any number, and no request is classified. */
  readonly flowControl?: FlowControlOptions | undefined;
  /** Absent: requests belong to no trace. */
  readonly tracing?: Tracing | undefined;
  /** Logs an unexpected error; the client receives no details. */
  readonly logError: (message: string, cause: unknown) => void;
}

interface Server {
  readonly options: ApiAppOptions;
  readonly dependencies: ApiDependencies;
  readonly count: CountRequest;
  readonly openApi: CurrentOpenApi;
  readonly metrics: DiscoveredMetrics;
  readonly flowControl: FlowControl | undefined;
}

/** Creates the Kubernetes REST API. It uses only Web requests and responses, so it runs in any of hono's runtimes. */
export function createApiApp(options: ApiAppOptions): Hono {
  const heldLists = new HeldLists(options.clock);
  const laterPages = new LaterPages(options.clock);
  const dependencies = { ...options, heldLists, laterPages, served: createServedResources(options.catalog) };
  const server = {
    options,
    dependencies,
    count: createRequestMetrics(options.metrics, dependencies.served.builtInGroups),
    openApi: openApiOf(options.catalog),
    metrics: new DiscoveredMetrics({ ...dependencies, logError: options.logError }),
    flowControl: options.flowControl && new FlowControl(options.flowControl, options.metrics),
  };
  const app = new Hono();
  app.all('*', ({ req, env }) => answerRequest(server, req.raw, env));
  return app;
}

/** Describes the resources of a catalog. What writes the documents is loaded when a client first asks for one. */
function openApiOf(catalog: ResourceCatalog): CurrentOpenApi {
  let loaded: Promise<CurrentOpenApi> | undefined;
  const load = async () => {
    const { createCatalogOpenApi } = await import('./schema/openapi/createCatalogOpenApi.ts');
    return createCatalogOpenApi(catalog, serverVersion(catalog.release).gitVersion);
  };
  return async () => {
    const openApi = await (loaded ??= load());
    return openApi();
  };
}

async function answerRequest(server: Server, raw: Request, env: unknown): Promise<Response> {
  const { clock, ids, audit, requestIds = ids } = server.options;
  const beganMs = clock.now();
  const requestId = auditIdOf(raw, requestIds);
  const auditId = audit && requestId;
  const url = new URL(raw.url);
  const warnings: string[] = [];
  const headers: (readonly [name: string, value: string])[] = [];
  let info: RequestInfo | undefined;
  let resource: ServedResource | undefined;
  let response: Response;
  try {
    info = resolveRequestInfo(raw.method, url);
    resource = await findResource(server, info);
    response = await serve(server, { raw, url, info, resource, warnings, headers, env, beganMs, auditId });
  } catch (error) {
    if (error instanceof PageNotFoundError) response = pageNotFound();
    else response = respondError(raw, error instanceof ApiError ? error : unexpectedError(server, raw, error));
  }
  for (const header of warningHeaders(warnings)) response.headers.append('Warning', header);
  for (const [name, value] of headers) response.headers.set(name, value);
  const seconds = (clock.now() - beganMs) / 1000;
  if (info) server.count({ info, query: url.searchParams, resource }, response.status, seconds);
  const answer = raw.method === 'HEAD' ? await withoutBody(response) : response;
  return showAnswer(raw, auditAnswer(raw, requestId, answer));
}

async function findResource({ dependencies }: Server, info: RequestInfo): Promise<ServedResource | undefined> {
  if (!info.isResourceRequest) return undefined;
  const found = await dependencies.served.find(info.group, info.version, info.resource);
  await found?.entry.custom?.load?.();
  return found;
}

function unexpectedError({ options }: Server, raw: Request, cause: unknown): ApiError {
  options.logError(`${raw.method} ${new URL(raw.url).pathname} failed`, cause);
  if (cause instanceof StoreTimeoutError) return requestTimeout();
  trailOf(raw)?.panic(cause);
  return internalError(cause);
}

interface Incoming {
  readonly raw: Request;
  readonly url: URL;
  readonly info: RequestInfo;
  readonly resource: ServedResource | undefined;
  readonly warnings: string[];
  /** What the answer has besides its own headers. */
  readonly headers: (readonly [name: string, value: string])[];
  readonly env: unknown;
  readonly beganMs: number;
  /** Absent without an audit log. */
  readonly auditId: string | undefined;
}

async function serve(server: Server, incoming: Incoming): Promise<Response> {
  const { raw, url } = incoming;
  const { allowedHosts } = server.options;
  if (allowedHosts) refuseWebPages(allowedHosts, raw.headers, url);
  const user = await identifyUser(server, incoming);
  return await traceRequest(server.options, { ...incoming, user }, () => serveAuthorized(server, incoming, user));
}

async function serveAuthorized(server: Server, incoming: Incoming, user: UserInfo | undefined): Promise<Response> {
  const { raw, url, info, resource, warnings, env } = incoming;
  if (!info.isResourceRequest) {
    const { answerOwnPath } = (env ?? {}) as Partial<OwnPathEnvironment>;
    return (await (answerOwnPath?.() ?? servePath(server, raw, url))) ?? pageNotFound();
  }
  const trail = trailOf(raw);
  if (resource) {
    const query = url.searchParams;
    const { authorizer, createBudget } = server.options;
    const budget = createBudget?.() ?? new RequestBudget();
    const annotate: Annotate | undefined = trail && ((...annotation) => trail.annotate(...annotation));
    const asked = { info, resource, query, user, authorizer, warnings, budget, annotate };
    const dependencies = inVersion(
      { ...server.dependencies, registry: admitAs(registryFor(server, user), asked) },
      resource,
    );
    const accept = (incoming.env as Partial<UpgradableEnvironment> | undefined)?.acceptUpgrade;
    const acceptUpgrade = trail && accept ? auditUpgrade(trail, accept) : accept;
    return serveResource({ ...asked, raw, url, dependencies, acceptUpgrade });
  }
  if (isMetricsVersion(info.group, info.version)) {
    const { serveMetricValues } = await import('./metrics/serveMetricValues.ts');
    const dependencies = { ...server.dependencies, registry: registryFor(server, user) };
    return serveMetricValues({ raw, query: url.searchParams, info, dependencies });
  }
  if (isKnownPlace(server, info)) throw unknownResource();
  return pageNotFound();
}

/** True for a path below the core group's version, or below another built-in group, whatever its version: then the answer is a Status. */
function isKnownPlace({ dependencies }: Server, { group, version }: RequestInfo): boolean {
  const known = dependencies.served.builtInGroups.find((one) => one.group === group);
  return known !== undefined && (group !== '' || known.versions.some((one) => one.version === version));
}

/** Returns the user that the request acts as, after checking that the user is known and may do what it asks, and not too often. Throws Unauthorized, TooManyRequests and Forbidden. */
async function identifyUser({ options, flowControl }: Server, incoming: Incoming): Promise<UserInfo | undefined> {
  const { raw, info, env } = incoming;
  const { authorizer, userOf } = options;
  const mustBeKnown = authorizer !== undefined || userOf !== undefined;
  const user = await userOf?.(env, raw);
  const isAuthenticated = user !== undefined || !mustBeKnown;
  recordArrival(options, incoming, user, isAuthenticated);
  if (!isAuthenticated) throw new ApiError('Unauthorized', 'Unauthorized');
  const addHeader = (name: string, value: string) => void incoming.headers.push([name, value]);
  const admit: Admit = async (acting) => await flowControl?.admit({ raw, info, user: acting }, addHeader);
  if (user) return await authorizeUser(user, { ...incoming, authorizer, admit });
  await (await admit(undefined))?.();
  return undefined;
}

/** A body that nobody reads must be ended: it may hold the slot of a watch. */
async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function recordArrival(
  { audit, clock }: ApiAppOptions,
  { raw, url, info, env, beganMs, auditId }: Incoming,
  user: UserInfo | undefined,
  isAuthenticated: boolean,
): void {
  if (!audit || auditId === undefined) return;
  beginAudit(audit, clock, { raw, url, info, environment: env, auditId, receivedMs: beganMs, user, isAuthenticated });
}

/** The registry for this request: it refuses grants beyond the user's own permissions, and writes after the request's lifetime. */
function registryFor({ options }: Server, user: UserInfo | undefined): Registry {
  const { registry, registryUntil, authorizer, clock, requestLifetimeMs } = options;
  const bounded = limitLifetime(registry, registryUntil, clock, requestLifetimeMs);
  if (!authorizer || !user) return bounded;
  const node = nodeNameOf(user);
  const guarded = guardSigners(guardGrants(bounded, authorizer, user), authorizer, user);
  return node === undefined ? guarded : restrictNode(guarded, node);
}

/** What a request for a custom resource reads is in the version of the request, if a webhook has to convert it. */
function inVersion(dependencies: ApiDependencies, { entry }: ServedResource): ApiDependencies {
  const { registry, changeLog, conversions } = dependencies;
  const toVersion = toVersionOf(entry, conversions);
  if (!toVersion) return dependencies;
  const { laterPages: _, ...others } = dependencies;
  return {
    ...others,
    registry: { ...registry, ...readsInVersion(registry, entry, toVersion) },
    changeLog: logInVersion(changeLog, toVersion),
  };
}

/** Answers what metrics a group version has, `/apis/custom.metrics.k8s.io/v1beta2`; `undefined` for another path. */
async function listMetrics({ dependencies }: Server, raw: Request, { pathname }: URL): Promise<Response | undefined> {
  const [, group = '', version = ''] = pathname.split('/').filter(Boolean);
  if (!isMetricsVersion(group, version)) return undefined;
  const { discoverMetrics } = await import('./metrics/discoverMetrics.ts');
  return respondValue(raw, await discoverMetrics(dependencies, group, version));
}

/** Answers paths that name no resource; `undefined` for an unknown path. */
async function servePath(server: Server, raw: Request, url: URL): Promise<Response | undefined> {
  const { options, dependencies } = server;
  const health = await serveHealth(url, async () => void (await options.registry.list('namespaces', { limit: 1 })));
  if (health) return health;
  const [first] = url.pathname.split('/').filter(Boolean);
  if (raw.method !== 'GET' && raw.method !== 'HEAD') throw methodNotAllowed();
  switch (first) {
    case 'api':
    case 'apis':
      return (
        (await listMetrics(server, raw, url)) ??
        (await serveDiscovery({ served: await dependencies.served.groups(), metrics: server.metrics }, raw, url))
      );
    case 'openapi':
      return serveOpenApi(await server.openApi(), raw, url);
    case 'version':
      return respondValue(raw, serverVersion(options.catalog.release));
    case 'metrics':
      return new Response(await options.metrics.metrics(), {
        headers: { 'Content-Type': options.metrics.contentType },
      });
    case '.well-known':
    case 'openid':
      return await serveOpenId(options.tokens, url.pathname, `${url.origin}${options.basePath ?? ''}`);
    case undefined:
      return respondValue(raw, { paths: PATHS });
    default:
      return undefined;
  }
}

const PATHS = [
  '/.well-known/openid-configuration',
  '/api',
  '/apis',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openid/v1/jwks',
  '/readyz',
  '/version',
];

/** Kubernetes' answer, in plain text, for a path outside its API. */
function pageNotFound(): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
  return new Response('404 page not found\n', { status: 404, headers });
}
