import { isIP } from 'node:net';
import { LOOPBACK } from '../host/openHttpServer.ts';
import { outerAddress } from './podsAddress.ts';

/** A config map that machines read before they join. */
export interface JoinConfigMap {
  readonly namespace: string;
  readonly name: string;
  /** The key of the text. */
  readonly key: string;
  readonly text: string;
}

export interface JoinConfigOptions {
  /** Where nodes reach the API: `https://192.0.2.10:8001`. */
  readonly server: string;
  /** The cluster's authority, in PEM. */
  readonly authority: string;
  /** The version of the API: `v1.32.4`. */
  readonly version: string;
}

/** The first line of a text that belongs to the server. A user who removes it keeps what they have changed. */
export const OURS = '# Written at each start of the server. Remove this line to keep changes.\n';

const SYSTEM = 'kube-system';

/**
 * The config maps that `kubeadm init` makes for `kubeadm join`. Pure.
 *
 * The kubelets' configuration names no DNS server, since this control plane runs none: pods use their node's.
 */
export function joinConfigMaps(options: JoinConfigOptions): readonly JoinConfigMap[] {
  return [
    { namespace: 'kube-public', name: 'cluster-info', key: 'kubeconfig', text: OURS + discoveryKubeconfig(options) },
    {
      namespace: SYSTEM,
      name: 'kubeadm-config',
      key: 'ClusterConfiguration',
      text: OURS + clusterConfiguration(options),
    },
    { namespace: SYSTEM, name: 'kubelet-config', key: 'kubelet', text: OURS + KUBELET_CONFIGURATION },
  ];
}

/** A kubeconfig without a user. */
function discoveryKubeconfig({ server, authority }: JoinConfigOptions): string {
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${Buffer.from(authority).toString('base64')}
    server: ${server}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;
}

function clusterConfiguration({ server, version }: JoinConfigOptions): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
clusterName: kubernetes
controlPlaneEndpoint: ${server.replace('https://', '')}
kind: ClusterConfiguration
kubernetesVersion: ${version}
networking:
  dnsDomain: cluster.local
  serviceSubnet: 10.96.0.0/12
`;
}

const KUBELET_CONFIGURATION = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
cgroupDriver: systemd
clusterDNS: []
clusterDomain: cluster.local
kind: KubeletConfiguration
rotateCertificates: true
serverTLSBootstrap: true
staticPodPath: /etc/kubernetes/manifests
`;

/** The host under which other machines reach a server that listens on the address: for all addresses, the first one of this machine that is not its loopback. */
export function advertisedHost(address: string | undefined): string {
  const isEvery = address === '0.0.0.0' || address === '::';
  const host = isEvery ? (outerAddress() ?? LOOPBACK) : (address ?? LOOPBACK);
  return isIP(host) === 6 ? `[${host}]` : host;
}
