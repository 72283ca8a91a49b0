import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

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
 * For all that has no answer of its own: the status is the error's, and so the code inside is what API Gateway says of it. `$context` values are
 * quoted by API Gateway where their names end in `String`.
 */
const DEFAULTS = [
  { id: 'Default4xx', type: ResponseType.DEFAULT_4XX, reason: 'BadRequest', code: 400 },
  { id: 'Default5xx', type: ResponseType.DEFAULT_5XX, reason: 'InternalError', code: 500 },
] as const;

/** Sets the answers of `GATEWAY_ANSWERS`, and one each for other client errors and other failures. */
export function addGatewayResponses(api: RestApi): void {
  for (const { id, type, code, headers, ...status } of GATEWAY_ANSWERS) {
    const template = statusTemplate({ ...status, code, message: JSON.stringify(status.message) });
    api.addGatewayResponse(id, answer(type, code, template, headers));
  }
  for (const { id, type, reason, code } of DEFAULTS) {
    const template = statusTemplate({ reason, code, message: '$context.error.messageString' });
    api.addGatewayResponse(id, answer(type, code, template));
  }
}

function answer(
  type: ResponseType,
  code: number,
  template: string,
  headers?: Readonly<Record<string, string>>,
): GatewayResponseOptions {
  return {
    type,
    statusCode: `${code}`,
    templates: { 'application/json': template },
    ...(headers && { responseHeaders: { ...headers } }),
  };
}

/** A `Status`, in which `message` is JSON already. */
function statusTemplate({ message, reason, code }: { message: string; reason: string; code: number }): string {
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":${message},"reason":"${reason}","code":${code}}`;
}
