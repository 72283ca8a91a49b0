import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import { type Clock, sleep } from '../../lambdas/ports/Clock.ts';
import { resolveRequestInfo, type RequestInfo } from '../../lambdas/rest/request/RequestInfo.ts';
import { respondError } from '../../lambdas/rest/response/respond.ts';
import { faultError, type FaultList } from './Faults.ts';

/** Applies faults to the requests of clients. When `stopping` is aborted, delayed requests are refused. */
export function faultyApi(api: ApiHandler, faults: FaultList, clock: Clock, stopping: AbortSignal): ApiHandler {
  return async (request, environment) => {
    const info = infoOf(request);
    if (!info?.isResourceRequest) return await api(request, environment);
    const name = info.name === '' && faults.needsNames() ? await nameInBody(request) : info.name;
    const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
    const fault = faults.match('clients', { ...info, resource, name });
    if (!fault) return await api(request, environment);
    const group = info.group === '' ? '' : `.${info.group}`;
    if (fault.delay === undefined) return respondError(request, faultError(fault, info.resource + group, name));
    const delayMs = typeof fault.delay === 'number' ? fault.delay : (parseDuration(fault.delay) ?? 0);
    await sleep(clock, delayMs, AbortSignal.any([stopping, request.signal]));
    return stopping.aborted ? respondError(request, stopped()) : await api(request, environment);
  };
}

/** Returns nothing for an invalid path: the API answers with the error. */
function infoOf(request: Request): RequestInfo | undefined {
  try {
    return resolveRequestInfo(request.method, new URL(request.url));
  } catch {
    return undefined;
  }
}

/** Returns the name of the object to create; empty for a protobuf body or an invalid one. */
async function nameInBody(request: Request): Promise<string> {
  if (request.method !== 'POST' || request.headers.get('content-type')?.includes('protobuf')) return '';
  try {
    const { parse } = await import('yaml');
    const { metadata } = parse(await request.clone().text()) as { metadata?: { name?: string } };
    return metadata?.name ?? '';
  } catch {
    return '';
  }
}

function stopped(): ApiError {
  return new ApiError('ServiceUnavailable', 'the cluster is being stopped');
}
