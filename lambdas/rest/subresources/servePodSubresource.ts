import { badRequest } from '../../objects/apiErrors.ts';
import { requireObject } from '../verbs/serveGet.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { serveEviction } from './serveEviction.ts';
import { methodNotAllowed } from '../response/statusOf.ts';

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

/** Answers the subresources that only pods have. An eviction deletes the pod if its budget allows it; those that a kubelet would serve are refused with the reason. */
export async function servePodSubresource(request: ResourceRequest): Promise<Response> {
  const { subresource, verb } = request.info;
  if (subresource !== 'eviction') {
    await requireObject(request);
    throw badRequest(UNAVAILABLE[subresource] ?? '');
  }
  if (verb !== 'create') throw methodNotAllowed();
  return serveEviction(request);
}
