import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';

type ConfigMap = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';
/** The names that kube-apiserver gives the config map, its key and the role of its readers. */
const CONFIG_MAP = 'extension-apiserver-authentication';
const READERS = 'extension-apiserver-authentication-reader';

/** The authority of a request header is another than that of clients, so that no client's certificate is a proxy's. */
const PROXY_AUTHORITY = 'requestheader-client-ca-file';
/** How a proxy tells an extension server who the user is, as kubeadm sets up kube-apiserver. */
const PROXY_HEADERS = {
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-username-headers': '["X-Remote-User"]',
};

/** The certificates that extension servers trust. */
export interface PublishedAuthority {
  /** Of the authority of clients' certificates, in PEM. */
  certificate(): Promise<string>;
  /** Makes the authority of proxies, and resolves to its certificate. Its key is not kept: this API server passes no request on to an extension server, so nobody may act as if it did. */
  createProxyAuthority(): Promise<string>;
}

/** What is done about a refusal: what somebody else changed meanwhile, and a namespace that is being deleted, are looked at again with the next start or resync. */
const HARMLESS = ['AlreadyExists', 'Conflict', 'Forbidden', 'NotFound'];

/**
 * Publishes the certificates by which extension servers know clients and proxies, where kube-apiserver does: servers such as metrics-server do not start without. Writes only what is missing or differs; what others have
 * added, and the authority of proxies once it is there, stay.
 */
export async function publishClientAuthority(registry: Registry, authority: PublishedAuthority): Promise<void> {
  const stored = await registry.get<ConfigMap>({ resource: 'configmaps', namespace: NAMESPACE, name: CONFIG_MAP });
  const data = {
    ...PROXY_HEADERS,
    ...stored?.data,
    'client-ca-file': await authority.certificate(),
    [PROXY_AUTHORITY]: stored?.data?.[PROXY_AUTHORITY] ?? (await authority.createProxyAuthority()),
  };
  if (stored && isSame(data, stored.data ?? {})) return;
  const metadata = { name: CONFIG_MAP, namespace: NAMESPACE };
  const outcome = stored
    ? await registry.update('configmaps', { ...stored, data }, { from: stored, request: 'admitted' })
    : await registry.create(
        'configmaps',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
        { request: 'admitted' },
      );
  if (outcome.status === 'refused' && !HARMLESS.includes(outcome.error.reason)) throw outcome.error;
}

function isSame(data: Readonly<Record<string, string>>, stored: Readonly<Record<string, string>>): boolean {
  return Object.entries(data).every(([key, value]) => stored[key] === value);
}

/** Lets every node read the certificates: a kubelet in the cloud knows the API server by them (`clientCAFile`). */
export async function letNodesReadAuthority(registry: Registry): Promise<void> {
  const outcome = await registry.create(`rolebindings.${RBAC}`, NODES_READ, { request: 'admitted' });
  if (outcome.status === 'refused' && outcome.error.reason !== 'AlreadyExists') throw outcome.error;
}

const NODES_READ: NewObject = {
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'driftless:nodes-read-client-authority', namespace: NAMESPACE },
  roleRef: { apiGroup: RBAC, kind: 'Role', name: READERS },
  subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:nodes' }],
};
