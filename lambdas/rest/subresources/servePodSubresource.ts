import { badRequest } from '../../objects/apiErrors.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { checkDeleteOptions, type WireDeleteOptions } from '../request/deleteOptions.ts';
import { requireObject } from '../verbs/serveGet.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondValue } from '../response/respond.ts';
import { methodNotAllowed } from '../response/statusOf.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { keyOf } from '../request/requestTarget.ts';

/** The subresources that a kubelet would serve, with the reason why a simulated pod has none. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  log: 'simulated pods write no logs',
  exec: 'simulated pods run no processes: there is nothing to execute a command in',
  attach: 'simulated pods run no processes: there is nothing to attach to',
  portforward: 'simulated pods open no ports: there is nothing to forward to',
  proxy: 'simulated pods serve nothing: there is nothing to proxy to',
};

/** True for the subresources that only pods have. */
export function isPodSubresource(subresource: string): boolean {
  return subresource === 'eviction' || Object.hasOwn(UNAVAILABLE, subresource);
}

/** Answers the subresources that only pods have. An eviction deletes the pod; those that a kubelet would serve are refused with the reason. */
export async function servePodSubresource(request: ResourceRequest): Promise<Response> {
  const { subresource, verb } = request.info;
  if (subresource !== 'eviction') {
    await requireObject(request);
    throw badRequest(UNAVAILABLE[subresource] ?? '');
  }
  if (verb !== 'create') throw methodNotAllowed();
  return evictPod(request);
}

/** Answers a policy/v1 Eviction. There are no disruption budgets, so it always deletes the pod. */
async function evictPod(request: ResourceRequest): Promise<Response> {
  const { info } = request;
  const { dryRun, fieldValidation } = parseWriteOptions(request.query, 'CreateOptions');
  const eviction = await decodeRequest(request, fieldValidation, { apiVersion: 'policy/v1', kind: 'Eviction' });
  const { name } = eviction.metadata as { name?: string };
  if (name !== undefined && name !== info.name) {
    throw badRequest(`name in URL does not match name in Eviction object: ${info.name} vs ${name}`);
  }
  const given = (eviction['deleteOptions'] ?? {}) as WireDeleteOptions;
  const { options } = checkDeleteOptions(given, request.resource.version);
  // Both the query and the eviction's deleteOptions may ask for a dry run.
  const asked = { ...options, dryRun: dryRun || options.dryRun === true };
  const outcome = await request.dependencies.registry.delete(keyOf(request), asked);
  if (outcome.status === 'refused') throw outcome.error;
  return respondValue(
    request.raw,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    201,
  );
}
