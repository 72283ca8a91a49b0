import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { ApiBackend } from './addProxy.ts';

interface GatewayAnswer {
  readonly id: string;
  readonly type: ResponseType;
  readonly code: number;
  /** Kubernetes' `StatusReason`; clients decide by it. */
  readonly reason: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** client-go retries by itself after this many seconds. */
const RETRY = { 'Retry-After': "'1'" };

/** The answers that API Gateway gives by itself, as `Status` objects, since Kubernetes clients understand nothing else. */
const GATEWAY_ANSWERS: readonly GatewayAnswer[] = [
  { id: 'Unauthorized', type: ResponseType.UNAUTHORIZED, code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
  { id: 'AccessDenied', type: ResponseType.ACCESS_DENIED, code: 403, reason: 'Forbidden', message: 'Forbidden' },
  {
    id: 'AuthorizerFailure',
    type: ResponseType.AUTHORIZER_FAILURE,
    code: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: the identity could not be verified',
    // It may have been throttled.
    headers: RETRY,
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
    id: 'IntegrationTimeout',
    type: ResponseType.INTEGRATION_TIMEOUT,
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
  },
];

const THROTTLED_FUNCTION = {
  code: 429,
  reason: 'TooManyRequests',
  message: 'Too many requests, please try again later.',
  headers: RETRY,
};

/** The answers if the integration fails: above all, if the function is throttled, or the container is being replaced. */
const INTEGRATION_ANSWERS: Readonly<Record<ApiBackend['kind'], readonly GatewayAnswer[]>> = {
  function: [
    { id: 'IntegrationFailure', type: ResponseType.INTEGRATION_FAILURE, ...THROTTLED_FUNCTION },
    // AWS does not say which of the two types a throttled function is. This one is also a function that may not be invoked. Both set off an alarm (see alarms/countLines.ts).
    { id: 'ApiConfigurationError', type: ResponseType.API_CONFIGURATION_ERROR, ...THROTTLED_FUNCTION },
  ],
  container: [
    {
      id: 'IntegrationFailure',
      type: ResponseType.INTEGRATION_FAILURE,
      code: 503,
      reason: 'ServiceUnavailable',
      message: 'The API container did not answer',
      headers: RETRY,
    },
  ],
};

/**
 * The answers for all other errors. They keep API Gateway's status code. A template cannot read that code, so the `Status` has none and clients use the status
 * line. `messageString` includes its quotes.
 */
const DEFAULTS = [
  { id: 'Default4xx', type: ResponseType.DEFAULT_4XX, reason: 'BadRequest' },
  { id: 'Default5xx', type: ResponseType.DEFAULT_5XX, reason: 'InternalError' },
] as const;

/** A rule of WAF has blocked the request. */
const FIREWALL_ANSWER: GatewayAnswer = {
  id: 'BlockedByFirewall',
  type: ResponseType.WAF_FILTERED,
  code: 403,
  reason: 'Forbidden',
  message: 'Forbidden: the firewall before the API has blocked the request',
};

/** Sets the answers of `GATEWAY_ANSWERS`, those for this kind of integration, that of a firewall if there is one, and the two default answers. */
export function addGatewayResponses(api: RestApi, kind: ApiBackend['kind'], hasFirewall: boolean): void {
  const answers = [...GATEWAY_ANSWERS, ...INTEGRATION_ANSWERS[kind], ...(hasFirewall ? [FIREWALL_ANSWER] : [])];
  for (const { id, type, code, reason, message, headers } of answers) {
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

/** A `Status` as a template. `message` is JSON; `code` is a JSON field with its comma, or empty. */
function statusTemplate(message: string, reason: string, code: string): string {
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":${message},"reason":"${reason}"${code}}`;
}
