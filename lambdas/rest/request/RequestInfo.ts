import { ApiError } from '../../objects/ApiError.ts';
import { parseFieldSelector } from '../../objects/selectors/fieldSelector.ts';

/**
 * A request's verb, resource and place, read from its method and URL alone, like apiserver's RequestInfo. Routing, authorization and metrics all use it, so
 * the request that is authorized is the request that is served.
 */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  /** False for discovery, health, metrics and everything else that names no resource. */
  readonly isResourceRequest: boolean;
  /** get, list, watch, create, update, patch, delete or deletecollection. For a non-resource request: the HTTP method in lower case. */
  readonly verb: string;
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** `''` if the URL has none. A request for a Namespace object has that object's name here, as in Kubernetes. */
  readonly namespace: string;
  readonly resource: string;
  /** Also set for a list or watch whose field selector asks for one name. */
  readonly name: string;
  readonly subresource: string;
  /** Of a list, a watch or a deletion of a collection that has one. It may be unreadable: then the handler refuses it. */
  readonly fieldSelector?: string;
  /** The path segments after the subresource: `some`, `path` for `proxy/some/path`. */
  readonly rest: readonly string[];
  /** False if the path names an object. A list whose field selector asks for one name has a `name` and is still about a collection. */
  readonly isCollection: boolean;
}

const METHOD_VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Reads a request's method and URL. Throws BadRequest for a path whose percent-encoding is not valid. */
export function resolveRequestInfo(method: string, url: URL): RequestInfo {
  const parts = pathSegments(url.pathname);
  const [prefix, ...segments] = parts;
  if (prefix === 'api' && segments.length >= 2)
    return resourceInfo(method, url, '', segments[0] ?? '', segments.slice(1));
  if (prefix === 'apis' && segments.length >= 3) {
    return resourceInfo(method, url, segments[0] ?? '', segments[1] ?? '', segments.slice(2));
  }
  return {
    ...emptyPlace(method, url),
    isResourceRequest: false,
    verb: method.toLowerCase(),
    group: prefix === 'apis' ? (segments[0] ?? '') : '',
    version: (prefix === 'apis' ? segments[1] : prefix === 'api' ? segments[0] : undefined) ?? '',
  };
}

function emptyPlace(method: string, url: URL) {
  return {
    method,
    path: url.pathname,
    namespace: '',
    resource: '',
    name: '',
    subresource: '',
    rest: [],
    isCollection: false,
  };
}

function pathSegments(path: string): string[] {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch (cause) {
    throw new ApiError('BadRequest', `invalid URL path: ${path}`, undefined, { cause });
  }
}

function resourceInfo(method: string, url: URL, group: string, version: string, parts: readonly string[]): RequestInfo {
  const legacyWatch = parts[0] === 'watch' && parts.length > 1;
  const place = parsePlace(legacyWatch ? parts.slice(1) : parts);
  const isCollection = place.name === '';
  const verb = legacyWatch ? 'watch' : verbOf(method, url.searchParams, isCollection);
  const isSelecting = verb === 'list' || verb === 'watch';
  const selected = isSelecting ? selectedName(url.searchParams) : undefined;
  const isAboutSelected = isSelecting || verb === 'deletecollection';
  const fieldSelector = isAboutSelected ? url.searchParams.get('fieldSelector') : null;
  return {
    method,
    path: url.pathname,
    isResourceRequest: true,
    verb,
    group,
    version,
    ...place,
    name: place.name || (selected ?? ''),
    isCollection,
    ...(fieldSelector !== null && { fieldSelector }),
  };
}

/** Reads the path below the group version: `namespaces/NS/pods/NAME/SUB`, `nodes/NAME`, or `namespaces/NAME/status`, where NAME is an object and not a place. */
function parsePlace(parts: readonly string[]) {
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '');
  const [resource = '', name = '', subresource = '', ...rest] = inNamespace ? parts.slice(2) : parts;
  const namespace = inNamespace || parts[0] === 'namespaces' ? (parts[1] ?? '') : '';
  return { namespace, resource, name, subresource, rest };
}

function verbOf(method: string, query: URLSearchParams, isCollection: boolean): string {
  const verb = METHOD_VERBS[method] ?? method.toLowerCase();
  if (!isCollection) return verb;
  if (verb === 'delete') return 'deletecollection';
  if (verb !== 'get') return verb;
  return parseFlag(query.get('watch')) ? 'watch' : 'list';
}

/** Reads a boolean query parameter as Kubernetes does: absent, `0` and `false` are false; everything else, even an empty value, is true. */
export function parseFlag(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** True if what answers a request for this URL is a watch: it asks for one, or it is one of the old paths, `/api/v1/watch/pods`. */
export function asksToWatch({ pathname, searchParams }: URL): boolean {
  return pathname.includes('/watch/') || parseFlag(searchParams.get('watch'));
}

/**
 * The one name that the field selector allows. The selector is parsed exactly as the list parses it: a difference would let a user who may see one name
 * see them all. A selector that cannot be parsed names nothing here; the list refuses it later.
 */
function selectedName(query: URLSearchParams): string | undefined {
  try {
    const requirements = parseFieldSelector(query.get('fieldSelector') ?? '');
    return requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value;
  } catch {
    return undefined;
  }
}
