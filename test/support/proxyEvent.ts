import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface ProxyRequest {
  readonly method?: string;
  readonly path: string;
  readonly query?: Record<string, string[]>;
  readonly headers?: Record<string, string[]>;
  readonly contentType?: string;
  readonly body?: Uint8Array;
  /** The authorizer's context. Absent: that of a cluster administrator. */
  readonly authorizer?: Record<string, unknown>;
}

const ADMINISTRATOR = { username: 'admin', uid: 'u1', groups: JSON.stringify(['system:masters']) };

/** Returns the event with which a REST API at stage `live` calls its function. All bodies are binary. */
export function proxyEvent(asked: ProxyRequest): APIGatewayProxyEvent {
  const { method = 'GET', path, query = null, headers = {}, contentType, body, authorizer = ADMINISTRATOR } = asked;
  const all = { accept: ['application/json'], ...headers, ...(contentType && { 'content-type': [contentType] }) };
  const last = (values: Record<string, string[]>) =>
    Object.fromEntries(Object.entries(values).map(([name, each]) => [name, each.at(-1)]));
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: last(all),
    multiValueHeaders: all,
    queryStringParameters: query && last(query),
    multiValueQueryStringParameters: query,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '111122223333',
      apiId: 'abc123',
      stage: 'live',
      path: `/live${path}`,
      httpMethod: method,
      protocol: 'HTTP/1.1',
      domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
      authorizer,
    } as unknown as APIGatewayProxyEvent['requestContext'],
    body: body ? Buffer.from(body).toString('base64') : null,
    isBase64Encoded: body !== undefined,
  };
}
