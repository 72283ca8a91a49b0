import { ApiError } from '../../objects/ApiError.ts';
import { parseFieldSelector } from '../../objects/fieldSelector.ts';

/**
 * What a request asks for, read from its method and URL alone, as apiserver's RequestInfo. Routing, authorization and metrics go by it, so
 * that what is allowed and what is done cannot drift apart.
 */
export interface RequestInfo {
  readonly method: string;
  readonly path: string;
  /** False for discovery, health, metrics and everything else that names no resource. */
  readonly isResourceRequest: boolean;
  /** get, list, watch, create, update, patch, delete, deletecollection; for what is no resource the HTTP method in lower case. */
  readonly verb: string;
  /** `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** `''` where the URL has none. A namespace itself has its own name here, as in Kubernetes. */
  readonly namespace: string;
  readonly resource: string;
  /** Of a list or watch too, if its field selector asks for one name. */
  readonly name: string;
  readonly subresource: string;
  /** What stands behind the subresource: `proxy/some/path`. */
  readonly rest: readonly string[];
  /** True if the URL itself names an object: a list of one name has a name and is still about a collection. */
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

/** Reads a request's method and URL. Throws BadRequest for a path that is not valid percent-encoding. */
export function resolveRequestInfo(method: string, url: URL): RequestInfo {
  const parts = pathSegments(url.pathname);
  const [prefix, ...behind] = parts;
  if (prefix === 'api' && behind.length >= 2) return resourceInfo(method, url, '', behind[0] ?? '', behind.slice(1));
  if (prefix === 'apis' && behind.length >= 3) {
    return resourceInfo(method, url, behind[0] ?? '', behind[1] ?? '', behind.slice(2));
  }
  return {
    ...nowhere(method, url),
    isResourceRequest: false,
    verb: method.toLowerCase(),
    group: prefix === 'apis' ? (behind[0] ?? '') : '',
    version: (prefix === 'apis' ? behind[1] : prefix === 'api' ? behind[0] : undefined) ?? '',
  };
}

function nowhere(method: string, url: URL) {
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
  const place = placeOf(legacyWatch ? parts.slice(1) : parts);
  const isCollection = place.name === '';
  const verb = legacyWatch ? 'watch' : verbOf(method, url.searchParams, isCollection);
  const selected = verb === 'list' || verb === 'watch' ? nameSelected(url.searchParams) : undefined;
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
  };
}

/** Where below the group version: `namespaces/NS/pods/NAME/SUB`, `nodes/NAME`, and `namespaces/NAME/status`, whose name looks like a place. */
function placeOf(parts: readonly string[]) {
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

/** A boolean query parameter as Kubernetes converts it: absent, `0` and `false` are false, everything else (also an empty value) is true. */
export function parseFlag(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/**
 * The one name that the field selector lets through. It is read as selecting reads it, or who may see one name could be shown all. A selector that cannot be read
 * names nothing here, and is refused when it is to select.
 */
function nameSelected(query: URLSearchParams): string | undefined {
  try {
    const requirements = parseFieldSelector(query.get('fieldSelector') ?? '');
    return requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value;
  } catch {
    return undefined;
  }
}
