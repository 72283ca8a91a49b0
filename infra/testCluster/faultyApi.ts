import { parseDuration } from '../../lambdas/adapters/simulated/parseDuration.ts';
import type { ApiHandler } from '../../lambdas/functions/api/createApiHandler.ts';
import { ApiError } from '../../lambdas/objects/ApiError.ts';
import { type Clock, sleep } from '../../lambdas/ports/Clock.ts';
import { resolveRequestInfo, type RequestInfo } from '../../lambdas/rest/request/RequestInfo.ts';
import { respondError } from '../../lambdas/rest/response/respond.ts';
import { TESTING_GROUP } from './controls/testingEntries.ts';
import { faultError, type FaultList } from './Faults.ts';

export interface FaultyApiParts {
  readonly faults: FaultList;
  readonly clock: Clock;
  /** When it is aborted, delayed requests are refused. */
  readonly stopping: AbortSignal;
  /** Resolves when it is stored how often faults have acted. */
  readonly whenWritten: () => Promise<void>;
}

/** Applies faults to the requests of clients. */
export function faultyApi(api: ApiHandler, parts: FaultyApiParts): ApiHandler {
  const { faults } = parts;
  return async (request, environment) => {
    const info = infoOf(request);
    // A test can always take its faults back.
    if (!info?.isResourceRequest || info.group === TESTING_GROUP) return await api(request, environment);
    const name = info.name === '' && faults.needsNames() ? await nameInBody(request) : info.name;
    const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
    const fault = faults.match('clients', { ...info, resource, name });
    if (!fault) return await api(request, environment);
    await parts.whenWritten();
    if (fault.delay !== undefined) return await delayed(api, parts, fault.delay, request, environment);
    const group = info.group === '' ? '' : `.${info.group}`;
    return respondError(request, faultError(fault, info.resource + group, name));
  };
}

async function delayed(
  api: ApiHandler,
  { clock, stopping }: FaultyApiParts,
  delay: string | number,
  request: Request,
  environment: unknown,
): Promise<Response> {
  const delayMs = typeof delay === 'number' ? delay : (parseDuration(delay) ?? 0);
  await sleep(clock, delayMs, AbortSignal.any([stopping, request.signal]));
  return stopping.aborted ? respondError(request, stopped()) : await api(request, environment);
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
