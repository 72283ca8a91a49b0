import { type RequestInfo, resolveRequestInfo } from '../../../lambdas/rest/request/RequestInfo.ts';
import type { SendRequest } from '../../host/SendRequest.ts';

type BodyRule = (body: string | undefined) => string | undefined;

interface Rule {
  /** The verbs of the requests that it is for. */
  readonly verbs: readonly string[];
  /** Their subresources; `''` is the object itself, or the collection. */
  readonly subresources: readonly string[];
  /** Asks for the dry run in the body, too, where the verb reads it there. */
  readonly body?: BodyRule;
}

const PARTS = ['', 'status', 'scale'];
/** What the client knows to be tried out by `dryRun=All`. Whatever is not here is not sent: `clocks/advance`, for one, and a connection to a pod. */
const WRITES: readonly Rule[] = [
  { verbs: ['create'], subresources: [''] },
  { verbs: ['create'], subresources: ['eviction'], body: inEviction },
  { verbs: ['update', 'patch'], subresources: PARTS },
  // A body of a deletion wins over the query, so that both say it.
  { verbs: ['delete', 'deletecollection'], subresources: [''], body: inDeleteOptions },
];
/** What only reads. A `get` of another subresource may be a connection, by which a pod or a node is told to do something. */
const READS: Rule = { verbs: ['get', 'list', 'watch'], subresources: [...PARTS, 'log'] };
/** Creating one of these hands something out, or asks something, and does not read `dryRun`. */
const NOT_STORED = /reviews$/;

/** A request that cannot be known to change nothing. It was not sent. */
export class WouldWriteError extends Error {
  constructor(method: string, path: string, why: string) {
    super(`${method} ${path} is not sent while only planning: ${why}`);
    this.name = 'WouldWriteError';
  }
}

/**
 * The way to an API for what only plans: each request reads, or is a dry run wherever its verb looks for that. Everything else is refused with a WouldWriteError before it is sent. It hides the way that can write, so who
 * holds this client alone cannot write.
 */
export class DryRunClient {
  readonly #send: SendRequest;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  readonly send: SendRequest = async (path, init = {}) => {
    const { method = 'GET' } = init;
    const refuse = (why: string) => new WouldWriteError(method, path, why);
    const url = urlOf(path);
    if (!url) throw refuse('its path can be read in more than one way');
    const info = resolveRequestInfo(method, url);
    if (isRead(info)) return await this.#send(path, { ...init, method });
    const rule = WRITES.find((one) => isFor(one, info));
    if (!rule || info.rest.length > 0 || NOT_STORED.test(info.resource)) throw refuse('it is not known how to try it');
    url.searchParams.set('dryRun', 'All');
    return await this.#send(url.pathname + url.search, { ...init, method, ...changedBody(init, rule, refuse) });
  };
}

/** Returns the URL of a path that every server reads alike. */
function urlOf(path: string): URL | undefined {
  const url = new URL(path, 'http://api');
  const segments = url.pathname.slice(1).split('/');
  const isPlain = segments.every((segment) => /^(?:[\w.:~-]|%[3-7][0-9a-f])+$/i.test(segment));
  return url.host === 'api' && isPlain && path === url.pathname + url.search ? url : undefined;
}

function isFor({ verbs, subresources }: Rule, { isResourceRequest, verb, subresource }: RequestInfo): boolean {
  return isResourceRequest && verbs.includes(verb) && subresources.includes(subresource);
}

/** What names no resource, such as the version, is read alone. */
function isRead(info: RequestInfo): boolean {
  if (info.method !== 'GET') return false;
  return info.isResourceRequest ? isFor(READS, info) && info.rest.length === 0 : true;
}

function changedBody({ body }: RequestInit, { body: change }: Rule, refuse: (why: string) => Error): RequestInit {
  if (!change) return {};
  if (body !== undefined && body !== null && typeof body !== 'string') throw refuse('its body is no text');
  try {
    const changed = change(body ?? undefined);
    return changed === undefined ? {} : { body: changed };
  } catch {
    throw refuse('its body is no JSON object');
  }
}

/** Without a body, the query is read. */
function inDeleteOptions(body: string | undefined): string | undefined {
  return body ? JSON.stringify({ ...objectIn(body), dryRun: ['All'] }) : undefined;
}

function inEviction(body: string | undefined): string {
  const eviction = objectIn(body ?? '');
  return JSON.stringify({ ...eviction, deleteOptions: { ...Object(eviction['deleteOptions']), dryRun: ['All'] } });
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return value as Readonly<Record<string, unknown>>;
}
