import { badRequest } from '../../objects/apiErrors.ts';
import { decodeRequest } from '../request/decodeRequest.ts';
import { checkDeleteOptions, type WireDeleteOptions } from '../request/deleteOptions.ts';
import { requireObject } from '../verbs/serveGet.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { respondValue } from '../response/respond.ts';
import { methodNotAllowed } from '../response/statusOf.ts';
import { parseWriteOptions } from '../request/writeOptions.ts';
import { keyOf } from '../request/requestTarget.ts';

/** What a kubelet would serve, and what a simulated pod has instead. */
const ABSENT: Readonly<Record<string, string>> = {
  log: 'simulated pods write no logs',
  exec: 'simulated pods run no processes: there is nothing to execute a command in',
  attach: 'simulated pods run no processes: there is nothing to attach to',
  portforward: 'simulated pods open no ports: there is nothing to forward to',
  proxy: 'simulated pods serve nothing: there is nothing to proxy to',
};

/** True for the subresources that only pods have, and that this server knows. */
export function isPodSubresource(subresource: string): boolean {
  return subresource === 'eviction' || Object.hasOwn(ABSENT, subresource);
}

/** The subresources that only pods have: an eviction deletes; what a kubelet would serve is refused, saying why. */
export async function servePodSubresource(request: ResourceRequest): Promise<Response> {
  const { subresource, verb } = request.info;
  if (subresource !== 'eviction') {
    await requireObject(request);
    throw badRequest(ABSENT[subresource] ?? '');
  }
  if (verb !== 'create') throw methodNotAllowed();
  return evictPod(request);
}

/** A policy/v1 Eviction. There are no disruption budgets here, so it is a delete that says so. */
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
  // Either place may ask for a dry run: that of the request, or that of the deletion.
  const asked = { ...options, dryRun: dryRun || options.dryRun === true };
  const outcome = await request.dependencies.registry.delete(keyOf(request), asked);
  if (outcome.status === 'refused') throw outcome.error;
  return respondValue(
    request.raw,
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    201,
  );
}
