import { ApiError } from '../../objects/ApiError.ts';
import type { BackendConnections } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Returns what reaches the kubelets. Throws NotImplemented on a host that is in no network with the nodes, such as a function in a cloud. */
export function requireBackends({ dependencies: { backends } }: ResourceRequest): BackendConnections {
  if (backends) return backends;
  throw new ApiError(
    'NotImplemented',
    'this API server reaches no kubelets: it is in no network with the nodes; ask the node itself (crictl logs)',
  );
}
