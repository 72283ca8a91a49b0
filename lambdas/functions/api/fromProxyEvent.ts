import type { APIGatewayProxyEvent } from 'aws-lambda';
import { decodeClaims, type TokenClaims } from '../../rest/authentication/TokenClaims.ts';
import type { UserInfo } from '../../rest/rbac/UserInfo.ts';

/** The user whom the authorizer has found. */
export interface AuthorizedUser extends UserInfo {
  /** The claims of a service account's token. The authorizer has verified who signed them, and `userOfRequest` checks the rest. */
  readonly claims?: TokenClaims;
}

/** What the application gets with each request. */
export interface ApiEnvironment {
  readonly user: AuthorizedUser | undefined;
  /** From where the request has come to API Gateway, or to the server. */
  readonly remoteAddress?: string | undefined;
}

/** The host of a request whose event names no domain. */
const DEFAULT_HOST = 'localhost';

/** The headers that concern only the connection to API Gateway, and the token, which the authorizer has checked. */
const DROPPED_HEADERS = new Set(['authorization', 'connection', 'content-length', 'host', 'transfer-encoding']);

/** Converts a proxy event of a REST API into a request. Throws a TypeError if that is impossible. */
export function fromProxyEvent(event: APIGatewayProxyEvent): Request {
  const { httpMethod } = event;
  const url = `https://${event.requestContext.domainName ?? DEFAULT_HOST}${pathOf(event)}${queryOf(event)}`;
  const body = httpMethod === 'GET' || httpMethod === 'HEAD' ? undefined : bodyOf(event);
  return new Request(url, { method: httpMethod, headers: headersOf(event), ...(body && { body }) });
}

/** Returns the user that the authorizer found, which is the only trusted source. `undefined` if the event names no user, or if our authorizer did not name it. */
export function userOf({ requestContext }: APIGatewayProxyEvent): AuthorizedUser | undefined {
  return parseUser(requestContext.authorizer ?? {});
}

/** Parses the authorizer's context. `undefined` if it is not what our authorizer makes. */
export function parseUser({
  username,
  uid,
  groups,
  claims,
}: Readonly<Record<string, unknown>>): AuthorizedUser | undefined {
  const parsed = parseGroups(groups);
  if (typeof username !== 'string' || username === '' || !parsed) return undefined;
  const user = { username, groups: parsed, ...(typeof uid === 'string' && uid !== '' && { uid }) };
  if (typeof claims !== 'string' || claims === '') return user;
  const decoded = decodeClaims(claims);
  // Claims of another user are not the authorizer's.
  return decoded?.sub === username ? { ...user, claims: decoded } : undefined;
}

function parseGroups(text: unknown): readonly string[] | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const groups: unknown = JSON.parse(text);
    return Array.isArray(groups) && groups.every((group) => typeof group === 'string') ? groups : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the path without the stage: `/dev/api/v1/pods` becomes `/api/v1/pods`. The request's domain determines which of an event's paths contain the stage. */
function pathOf({ path, requestContext }: APIGatewayProxyEvent): string {
  const stage = `/${requestContext.stage}`;
  const isStripped = requestContext.path === `${stage}${path}`;
  const hasStage = !isStripped && (path === stage || path.startsWith(`${stage}/`));
  const inside = hasStage ? path.slice(stage.length) : path;
  return inside === '' ? '/' : inside.replace(/[?#]/g, encodeURIComponent);
}

/** Encodes the query again, since API Gateway passes decoded parameters. */
function queryOf(event: APIGatewayProxyEvent): string {
  const query = new URLSearchParams();
  for (const [name, values] of valuesOf(event.multiValueQueryStringParameters, event.queryStringParameters)) {
    for (const value of values) query.append(name, value);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function headersOf(event: APIGatewayProxyEvent): Headers {
  const headers = new Headers();
  for (const [name, values] of valuesOf(event.multiValueHeaders, event.headers)) {
    if (DROPPED_HEADERS.has(name.toLowerCase())) continue;
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

function valuesOf(
  all: Readonly<Record<string, readonly string[] | undefined>> | null,
  last: Readonly<Record<string, string | undefined>> | null,
): (readonly [string, readonly string[]])[] {
  if (all) return Object.entries(all).map(([name, values]) => [name, values ?? []]);
  return Object.entries(last ?? {}).map(([name, value]) => [name, value === undefined ? [] : [value]]);
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Uint8Array<ArrayBuffer> | undefined {
  if (body === null || body === '') return undefined;
  return isBase64Encoded ? Uint8Array.from(Buffer.from(body, 'base64')) : new TextEncoder().encode(body);
}
