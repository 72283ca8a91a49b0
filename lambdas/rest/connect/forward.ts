import { ApiError } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import type { Backend } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { requireBackends } from './requireBackends.ts';

/** Headers that concern only the client's connection, or prove who the client is: the backend must not learn that. */
const DROPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const IMPERSONATION = 'impersonate-';

/** True if the client asks to change the protocol of its connection. */
export function asksForUpgrade({ headers }: Request): boolean {
  return /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headers.get('connection') ?? '') && headers.has('upgrade');
}

/**
 * Opens a stream between the client and a backend, as `exec`, `attach` and `portforward` need it: SPDY or WebSocket, whatever the client asks for. What the backend answers instead goes to the client. Throws
 * BadRequest for a request that asks for no other protocol, NotImplemented on a host that cannot change it, and Kubernetes' error if the backend cannot be reached.
 */
export async function forwardStream(request: ResourceRequest, backend: Backend, path: string): Promise<Response> {
  const { raw, acceptUpgrade, dependencies } = request;
  if (dependencies.refusesStreams !== undefined && !acceptUpgrade)
    throw new ApiError('NotImplemented', dependencies.refusesStreams);
  const backends = requireBackends(request);
  if (!asksForUpgrade(raw)) throw badRequest('Upgrade request required');
  if (!acceptUpgrade)
    throw new ApiError('NotImplemented', 'this API server cannot change the protocol of a connection');
  const headers = passedHeaders(raw.headers);
  headers.set('connection', 'Upgrade');
  headers.set('upgrade', raw.headers.get('upgrade') ?? '');
  const answer = await backends.upgrade({ backend, method: raw.method, path, headers });
  if (answer.status === 'forbidden') throw badRequest('address not allowed');
  if (answer.status === 'unreachable') throw new ApiError('Unknown', `error dialing backend: ${answer.why}`);
  if (answer.status === 'answered') return passedAnswer(answer.response);
  acceptUpgrade(answer);
  // The connection is no longer HTTP, so nobody receives this.
  return new Response(null);
}

/** Passes a request on to a backend and its answer back, as a proxy. A request for another protocol is passed as such. Throws ServiceUnavailable if the backend cannot be reached. */
export async function forwardRequest(request: ResourceRequest, backend: Backend, path: string): Promise<Response> {
  const { raw } = request;
  if (asksForUpgrade(raw)) return await forwardStream(request, backend, path);
  const { method, body, signal } = raw;
  const headers = passedHeaders(raw.headers);
  const answer = await requireBackends(request).send({ backend, method, path, headers, body, signal });
  if (answer.status === 'answered') return passedAnswer(answer.response);
  if (answer.status === 'forbidden') throw badRequest('address not allowed');
  throw new ApiError('ServiceUnavailable', `error trying to reach service: ${answer.why}`);
}

function passedHeaders(headers: Headers): Headers {
  const passed = [...headers].filter(([name]) => !DROPPED.has(name) && !name.startsWith(IMPERSONATION));
  return new Headers(passed);
}

function passedAnswer(response: Response): Response {
  const headers = new Headers([...response.headers].filter(([name]) => !DROPPED.has(name)));
  return new Response(response.body, { status: response.status, headers });
}
