import type { RequestInfo } from './RequestInfo.ts';

const CONNECTIONS = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** True for kube-apiserver's long-running requests: watches, and what is connected with a node or a pod. */
export function isLongRunning(info: Pick<RequestInfo, 'isResourceRequest' | 'verb' | 'subresource'>): boolean {
  return info.isResourceRequest && (info.verb === 'watch' || CONNECTIONS.has(info.subresource));
}
