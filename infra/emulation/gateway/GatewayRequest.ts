import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ApiSpec } from '../template/readApi.ts';
import { ACCOUNT } from '../template/Template.ts';

/** A request as API Gateway parses it. */
export interface GatewayRequest {
  readonly method: string;
  /** The path as sent, still encoded, without the stage. */
  readonly path: string;
  /** The path as sent: with the stage, unless the client used a custom domain. */
  readonly fullPath: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly receivedAtMs: number;
}

/** Hop-by-hop headers, and headers that API Gateway sets itself. */
const DROPPED_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade']);
/** API Gateway passes these headers on in this spelling. */
const CAPITALIZED: Readonly<Record<string, string>> = { authorization: 'Authorization', 'user-agent': 'User-Agent' };

/** Parses a request. A path that does not begin with the stage is treated as one of a custom domain that is mapped to the stage. */
export function gatewayRequest(request: IncomingMessage, stage: string, receivedAtMs: number): GatewayRequest {
  const [fullPath = '/', ...query] = (request.url ?? '/').split('?');
  const isStaged = fullPath === `/${stage}` || fullPath.startsWith(`/${stage}/`);
  const path = isStaged ? fullPath.slice(stage.length + 1) : fullPath;
  return {
    method: request.method ?? 'GET',
    path: path === '' ? '/' : path,
    fullPath,
    headers: headersOf(request.rawHeaders),
    query: collect([...new URLSearchParams(query.join('?'))]),
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    requestId: randomUUID(),
    receivedAtMs,
  };
}

function headersOf(raw: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    const lower = name.toLowerCase();
    if (!DROPPED_HEADERS.has(lower)) pairs.push([CAPITALIZED[lower] ?? name, raw[at + 1] as string]);
  }
  return collect(pairs);
}

function collect(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const collected = new Map<string, string[]>();
  for (const [name, value] of pairs) collected.set(name, [...(collected.get(name) ?? []), value]);
  return collected;
}

/** Returns all values of a header; the case of its name does not matter. */
export function headerValues({ headers }: GatewayRequest, lowerName: string): readonly string[] {
  return [...headers].flatMap(([name, values]) => (name.toLowerCase() === lowerName ? values : []));
}

/** `arn:aws:execute-api:…:API/STAGE/METHOD/path` */
export function methodArn({ arn, stage }: ApiSpec, { method, path }: GatewayRequest): string {
  return `${arn}/${stage}/${method}${path}`;
}

/** Returns the fields that the events for authorizers and for integrations share. Pure. */
export function eventOf(api: ApiSpec, request: GatewayRequest, authorizer?: Readonly<Record<string, unknown>>) {
  const { method, path, headers, query } = request;
  const isRoot = path === '/';
  return {
    resource: isRoot ? '/' : '/{proxy+}',
    path,
    httpMethod: method,
    ...nullIfEmpty('headers', 'multiValueHeaders', headers),
    ...nullIfEmpty('queryStringParameters', 'multiValueQueryStringParameters', query),
    pathParameters: isRoot ? null : { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: requestContext(api, request, authorizer),
  };
}

/** If a name has several values, the single value is the last. */
function nullIfEmpty(single: string, multiple: string, values: ReadonlyMap<string, readonly string[]>) {
  if (values.size === 0) return { [single]: null, [multiple]: null };
  return {
    [single]: Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)])),
    [multiple]: Object.fromEntries(values),
  };
}

function requestContext(api: ApiSpec, request: GatewayRequest, authorizer?: Readonly<Record<string, unknown>>) {
  const domainName = headerValues(request, 'host')[0] ?? '';
  return {
    accountId: ACCOUNT,
    apiId: api.id,
    stage: api.stage,
    resourceId: 'proxy',
    resourcePath: request.path === '/' ? '/' : '/{proxy+}',
    httpMethod: request.method,
    path: request.fullPath,
    protocol: 'HTTP/1.1',
    domainName,
    domainPrefix: domainName.split('.')[0],
    requestId: request.requestId,
    extendedRequestId: request.requestId,
    requestTime: new Date(request.receivedAtMs).toUTCString(),
    requestTimeEpoch: request.receivedAtMs,
    identity: { sourceIp: request.sourceIp, userAgent: headerValues(request, 'user-agent')[0] ?? null },
    ...(authorizer && { authorizer }),
  };
}

/** Returns the event of a proxy integration. A body of one of the API's binary media types is in base64, others are text. Pure. */
export function proxyEvent(
  api: ApiSpec,
  request: GatewayRequest,
  body: Buffer,
  authorizer: Readonly<Record<string, unknown>>,
): string {
  const isBase64Encoded = body.length > 0 && isBinary(api.binaryMediaTypes, headerValues(request, 'content-type')[0]);
  return JSON.stringify({
    ...eventOf(api, request, authorizer),
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  });
}

function isBinary(binaryMediaTypes: readonly string[], contentType = 'application/json'): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  return binaryMediaTypes.some((binary) => binary === '*/*' || binary.toLowerCase() === type);
}
