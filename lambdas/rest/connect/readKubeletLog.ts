import { ApiError, STATUS_CODES } from '../../objects/ApiError.ts';
import { badRequest } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';
import { formatTime } from '../../ports/Clock.ts';
import type { Backend } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import type { LogOptions } from './logOptions.ts';
import { requireBackends } from './requireBackends.ts';

/** The most that is read of a kubelet's error. */
const MAX_ERROR_CHARACTERS = 50_000;

export interface KubeletLog {
  readonly pod: Pod;
  readonly container: string;
  readonly options: LogOptions;
}

/** Asks the pod's kubelet for the log and returns its stream, which ends when the client leaves or `ended` is aborted. Throws what the kubelet answers as Kubernetes words it, and an error without a reason if it cannot be reached. */
export async function readKubeletLog(
  request: ResourceRequest,
  kubelet: Backend,
  { pod, container, options }: KubeletLog,
  ended?: AbortSignal,
): Promise<ReadableStream<Uint8Array> | null> {
  const { namespace = '', name } = pod.metadata;
  const place = [namespace, name, container].map(encodeURIComponent).join('/');
  const query = kubeletQuery(options);
  const path = `/containerLogs/${place}${query === '' ? '' : `?${query}`}`;
  const backend = { ...kubelet, skipsVerification: options.skipsVerification };
  const signal = ended ? AbortSignal.any([request.raw.signal, ended]) : request.raw.signal;
  const answer = await requireBackends(request).send({ backend, method: 'GET', path, headers: new Headers(), signal });
  if (answer.status !== 'answered') {
    const host = kubelet.host.includes(':') ? `[${kubelet.host}]` : kubelet.host;
    const why = answer.status === 'forbidden' ? 'address not allowed' : answer.why;
    throw new ApiError('Unknown', `Get "https://${host}:${kubelet.port}${path}": ${why}`);
  }
  const { response } = answer;
  if (response.ok) return response.body;
  throw refusalOf(response.status, (await response.text()).slice(0, MAX_ERROR_CHARACTERS), name);
}

/** The options in Go's order of a query: by name. */
function kubeletQuery({ follow, previous, timestamps, ...options }: LogOptions): string {
  const { sinceSeconds, sinceTimeMs, tailLines, limitBytes } = options;
  return new URLSearchParams({
    ...(follow && { follow: 'true' }),
    ...(limitBytes !== undefined && { limitBytes: `${limitBytes}` }),
    ...(previous && { previous: 'true' }),
    ...(sinceSeconds !== undefined && { sinceSeconds: `${sinceSeconds}` }),
    ...(sinceTimeMs !== undefined && { sinceTime: formatTime(sinceTimeMs) }),
    ...(tailLines !== undefined && { tailLines: `${tailLines}` }),
    ...(timestamps && { timestamps: 'true' }),
  }).toString();
}

/** Kubernetes' error for what a kubelet answers instead of a log. */
function refusalOf(code: number, text: string, pod: string): ApiError {
  if (code === STATUS_CODES.InternalError) {
    const causes = [{ message: text }];
    return new ApiError('InternalError', `Internal error occurred: ${text}`, { causes });
  }
  if (code === STATUS_CODES.BadRequest) return badRequest(text);
  const details = { name: pod, kind: 'pods', causes: [{ reason: 'UnexpectedServerResponse', message: text }] };
  if (code === STATUS_CODES.NotFound)
    return new ApiError('NotFound', `the server could not find the requested resource (get pods ${pod})`, details);
  if (code === STATUS_CODES.Forbidden) return new ApiError('Forbidden', text, details);
  if (code === STATUS_CODES.Unauthorized)
    return new ApiError('Unauthorized', 'the server has asked for the client to provide credentials', details);
  return new ApiError(
    'InternalError',
    `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
    details,
  );
}
