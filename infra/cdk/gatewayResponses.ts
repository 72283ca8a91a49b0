import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

interface GatewayAnswer {
  readonly id: string;
  readonly type: ResponseType;
  readonly code: number;
  /** Kubernetes' `StatusReason`, which is what clients act on. */
  readonly reason: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Seconds after which client-go tries again by itself. */
const RETRY = { 'Retry-After': "'1'" };

/** What API Gateway answers itself, in the words of a Kubernetes API server: clients know no others. */
export const GATEWAY_ANSWERS: readonly GatewayAnswer[] = [
  { id: 'Unauthorized', type: ResponseType.UNAUTHORIZED, code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
  { id: 'AccessDenied', type: ResponseType.ACCESS_DENIED, code: 403, reason: 'Forbidden', message: 'Forbidden' },
  {
    id: 'AuthorizerFailure',
    type: ResponseType.AUTHORIZER_FAILURE,
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the identity could not be verified',
  },
  {
    id: 'AuthorizerConfigurationError',
    type: ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the identity could not be verified',
  },
  {
    id: 'RequestTooLarge',
    type: ResponseType.REQUEST_TOO_LARGE,
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large',
  },
  {
    id: 'Throttled',
    type: ResponseType.THROTTLED,
    code: 429,
    reason: 'TooManyRequests',
    message: 'Too many requests, please try again later.',
    headers: RETRY,
  },
  {
    id: 'IntegrationFailure',
    type: ResponseType.INTEGRATION_FAILURE,
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'The API function did not answer',
    headers: RETRY,
  },
  {
    id: 'IntegrationTimeout',
    type: ResponseType.INTEGRATION_TIMEOUT,
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
  },
];

/**
 * For what has no answer of its own here. Its code stays API Gateway's, which a template cannot tell; clients take it from the status line.
 * `messageString` comes with its quotes.
 */
const DEFAULTS = [
  { id: 'Default4xx', type: ResponseType.DEFAULT_4XX, reason: 'BadRequest' },
  { id: 'Default5xx', type: ResponseType.DEFAULT_5XX, reason: 'InternalError' },
] as const;

/** Sets the answers of `GATEWAY_ANSWERS`, and one each for other client errors and other failures. */
export function addGatewayResponses(api: RestApi): void {
  for (const { id, type, code, reason, message, headers } of GATEWAY_ANSWERS) {
    const template = statusTemplate(JSON.stringify(message), reason, `,"code":${code}`);
    api.addGatewayResponse(id, {
      type,
      statusCode: `${code}`,
      templates: { 'application/json': template },
      ...(headers && { responseHeaders: { ...headers } }),
    });
  }
  for (const { id, type, reason } of DEFAULTS) {
    const template = statusTemplate('$context.error.messageString', reason, '');
    api.addGatewayResponse(id, { type, templates: { 'application/json': template } });
  }
}

/** A `Status`; `message` and `code` are JSON already. */
function statusTemplate(message: string, reason: string, code: string): string {
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":${message},"reason":"${reason}"${code}}`;
}
