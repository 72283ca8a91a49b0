import { badRequest } from '../../objects/apiErrors.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { Node } from '../../objects/kinds.ts';
import type { Backend } from '../../ports/BackendConnections.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { forwardRequest } from './forward.ts';
import { kubeletOf } from '../../registry/metrics/kubeletOf.ts';
import { requireNode } from './requireNode.ts';
import { parseProxyName, type ProxyName, proxyPath } from './proxyTarget.ts';

/** Answers `nodes/NAME/proxy`: the request is passed to the node's kubelet, or to another port of the node. Throws ApiError in Kubernetes' words. */
export async function serveNodeProxy(request: ResourceRequest): Promise<Response> {
  const target = parseProxyName(request.info.name, 'node');
  const node = await requireNode(request.dependencies.registry, target.name);
  const path = request.info.rest.join('/');
  const options = { kind: 'NodeProxyOptions', apiVersion: 'v1', ...(path !== '' && { path }) };
  await admitSubresource(request, { operation: 'CONNECT', object: options, dryRun: false });
  if (isSimulatedNode(node)) throw badRequest('simulated nodes run no kubelet: there is nothing to proxy to');
  return await forwardRequest(request, backendOf(node, target), proxyPath(request));
}

/** Only the kubelet gets the API server's certificate. */
function backendOf(node: Node, { scheme = 'http', port }: ProxyName): Backend {
  const kubelet = kubeletOf(node);
  if (port === undefined || port === kubelet.port) return kubelet;
  return { ...kubelet, scheme, port, isKubelet: false };
}
