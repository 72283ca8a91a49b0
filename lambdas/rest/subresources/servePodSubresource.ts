import { badRequest } from '../../objects/apiErrors.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import { connectionOptions } from './connectionOptions.ts';
import { requireObject } from '../verbs/serveGet.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { serveBinding } from './serveBinding.ts';
import { serveEviction } from './serveEviction.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';

/** The subresources that a kubelet would serve, with the reason why a simulated pod has none. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  log: 'simulated pods write no logs',
  exec: 'simulated pods run no processes: there is nothing to execute a command in',
  attach: 'simulated pods run no processes: there is nothing to attach to',
  portforward: 'simulated pods open no ports: there is nothing to forward to',
  proxy: 'simulated pods serve nothing: there is nothing to proxy to',
};

/** The subresources that clients create. */
const CREATED: Readonly<Record<string, (request: ResourceRequest) => Promise<Response>>> = {
  binding: serveBinding,
  eviction: serveEviction,
};

/** True for the subresources that only pods have. */
export function isPodSubresource(subresource: string): boolean {
  return Object.hasOwn(CREATED, subresource) || Object.hasOwn(UNAVAILABLE, subresource);
}

/** Answers the subresources that only pods have. Those that a kubelet would serve are refused with the reason. */
export async function servePodSubresource(request: ResourceRequest): Promise<Response> {
  const { subresource, verb, rest } = request.info;
  const create = CREATED[subresource];
  if (!create) {
    await requireObject(request);
    const options = connectionOptions(subresource, request.query);
    if (options) await admitSubresource(request, { operation: 'CONNECT', object: options, dryRun: false });
    throw badRequest(UNAVAILABLE[subresource] ?? '');
  }
  if (rest.length > 0) throw unknownResource();
  if (verb !== 'create') throw methodNotAllowed();
  return create(request);
}
