import type { ServerResponse } from 'node:http';
import type { ApiSpec } from '../template/readApi.ts';

/** What API Gateway says itself where the API does not say otherwise, by response type. */
const DEFAULTS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  UNAUTHORIZED: [401, 'Unauthorized'],
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  INTEGRATION_FAILURE: [504, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  DEFAULT_5XX: [502, 'Internal server error'],
};

/** Answers with the API's gateway response of that type, or, where it has none, the one for all of its kind. */
export function writeGatewayResponse(api: ApiSpec, type: string, response: ServerResponse): void {
  const [status, message] = DEFAULTS[type] ?? [500, 'Internal server error'];
  const kind = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const chosen = api.gatewayResponses.get(type) ?? api.gatewayResponses.get(kind);
  const template = chosen?.template ?? '{"message":$context.error.messageString}';
  const body = template
    .replaceAll('$context.error.messageString', JSON.stringify(message))
    .replaceAll('$context.error.message', message);
  response.writeHead(chosen?.status ?? status, { 'content-type': 'application/json', ...chosen?.headers }).end(body);
}
