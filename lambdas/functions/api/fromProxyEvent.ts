import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { UserInfo } from '../../rest/rbac/UserInfo.ts';

/** What the application gets besides the request. */
export interface ApiEnvironment {
  readonly user: UserInfo | undefined;
}

/** Where API Gateway is asked when an event does not say. */
const SOME_HOST = 'localhost';

/** Headers that are between the client and API Gateway, and the token, which the authorizer has dealt with. */
const NOT_PASSED_ON = new Set(['authorization', 'connection', 'content-length', 'host', 'transfer-encoding']);

/** The request that a REST API's proxy event stands for. Throws a TypeError for one that no request can be made of. */
export function fromProxyEvent(event: APIGatewayProxyEvent): Request {
  const { httpMethod } = event;
  const url = `https://${event.requestContext.domainName ?? SOME_HOST}${pathOf(event)}${queryOf(event)}`;
  const body = httpMethod === 'GET' || httpMethod === 'HEAD' ? undefined : bodyOf(event);
  return new Request(url, { method: httpMethod, headers: headersOf(event), ...(body && { body }) });
}

/** The user as the authorizer answered it, the only place where one is believed; `undefined` if there is none, or it is not of our authorizer's making. */
export function userOf({ requestContext }: APIGatewayProxyEvent): UserInfo | undefined {
  const { username, uid, groups } = (requestContext.authorizer ?? {}) as Readonly<Record<string, unknown>>;
  const parsed = parseGroups(groups);
  if (typeof username !== 'string' || username === '' || !parsed) return undefined;
  return { username, groups: parsed, ...(typeof uid === 'string' && uid !== '' && { uid }) };
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

/** The path within the API, without the stage: `/dev/api/v1/pods` is `/api/v1/pods`. Which of an event's paths have it depends on the domain it came by. */
function pathOf({ path, requestContext }: APIGatewayProxyEvent): string {
  const stage = `/${requestContext.stage}`;
  const isStripped = requestContext.path === `${stage}${path}`;
  const hasStage = !isStripped && (path === stage || path.startsWith(`${stage}/`));
  const inside = hasStage ? path.slice(stage.length) : path;
  return inside === '' ? '/' : inside.replace(/[?#]/g, encodeURIComponent);
}

/** API Gateway hands parameters over decoded. */
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
    if (NOT_PASSED_ON.has(name.toLowerCase())) continue;
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
