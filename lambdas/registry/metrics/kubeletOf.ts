import { ApiError } from '../../objects/ApiError.ts';
import type { Node } from '../../objects/kinds.ts';
import type { Backend } from '../../ports/BackendConnections.ts';

/** The port of a kubelet that does not name another in its node's status. */
const KUBELET_PORT = 10_250;
/** The kinds of addresses in the order in which kubeadm has kube-apiserver prefer them. Names come last, because the machine of the API server may not know them. */
const PREFERRED = ['InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS', 'Hostname'];

/** Returns where a node's kubelet serves, from the node's status. Throws an error without a reason, as Kubernetes, for a node without an address. Pure. */
export function kubeletOf({ status }: Node): Backend {
  const addresses = status?.addresses ?? [];
  const preferred = PREFERRED.flatMap((type) => addresses.find((one) => one.type === type) ?? [])[0];
  if (!preferred) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new ApiError('Unknown', `no preferred addresses found; known addresses: [${known}]`);
  }
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port;
  const isNamed = !preferred.type.endsWith('IP');
  return { scheme: 'https', host: preferred.address, isNamed, port: port || KUBELET_PORT, isKubelet: true };
}
