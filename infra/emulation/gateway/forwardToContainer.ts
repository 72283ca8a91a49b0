import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { ContainerIntegration } from '../template/readApi.ts';
import type { GatewayRequest } from './GatewayRequest.ts';

/** What API Gateway sends to a private integration. */
export interface ForwardedRequest {
  readonly method: string;
  /** With the stage and the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** The load balancer and the HTTP client set these themselves. */
const OWN_HEADERS = new Set(['host', 'expect', 'keep-alive', 'proxy-connection']);

/**
 * Makes the request to the container: the stage stays in the path, and headers that the integration maps replace those of the client, in any spelling. A mapped value that the
 * authorizer did not give is absent. Pure.
 */
export function forwardedRequest(
  stage: string,
  { requestHeaders }: Pick<ContainerIntegration, 'requestHeaders'>,
  request: GatewayRequest,
  context: Readonly<Record<string, unknown>>,
): ForwardedRequest {
  const mapped = [...requestHeaders].flatMap(([name, field]) => {
    const value = context[field];
    return typeof value === 'string' ? [name, value] : [];
  });
  const passed = [...request.headers].flatMap(([name, values]) => {
    const lower = name.toLowerCase();
    return requestHeaders.has(lower) || OWN_HEADERS.has(lower) ? [] : values.flatMap((value) => [name, value]);
  });
  const query = new URLSearchParams();
  for (const [name, values] of request.query) for (const value of values) query.append(name, value);
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  return { method: request.method, path: `/${stage}${request.path}${search}`, headers: [...passed, ...mapped] };
}

/** Sends the request to the container's socket. Resolves to its answer; rejects if the container does not answer. Aborting `signal` closes the connection, as API Gateway does when a client leaves. */
export function sendToContainer(
  socketPath: string,
  { method, path, headers }: ForwardedRequest,
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ socketPath, method, path, signal }, resolve);
    sent.once('error', reject);
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] as string;
      const before = sent.getHeader(name);
      sent.setHeader(
        name,
        before === undefined ? (headers[at + 1] as string) : [String(before), headers[at + 1] as string],
      );
    }
    if (body.length > 0) sent.setHeader('content-length', body.length);
    sent.end(body);
  });
}
