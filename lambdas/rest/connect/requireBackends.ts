import { ApiError } from '../../objects/ApiError.ts';
import type { BackendConnections } from '../../ports/BackendConnections.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';

/** Returns what reaches the kubelets. Throws NotImplemented on a host that reaches none: a function in a cloud, which is in no network with the nodes and cannot change the protocol of a connection. */
export function requireBackends({ dependencies: { backends } }: ResourceRequest): BackendConnections {
  if (backends) return backends;
  throw new ApiError(
    'NotImplemented',
    'this API server reaches no kubelets: its functions are in no network with the nodes and cannot hold upgraded connections; ask the node itself (crictl logs, crictl exec)',
  );
}
