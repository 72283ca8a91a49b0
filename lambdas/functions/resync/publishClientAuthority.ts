import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { Registry } from '../../registry/Registry.ts';

type ConfigMap = KubernetesObject & { readonly data?: Readonly<Record<string, string>> };

const NAMESPACE = 'kube-system';
const RBAC = 'rbac.authorization.k8s.io';
/** The names that kube-apiserver gives the config map, its key and the role of its readers. */
const CONFIG_MAP = 'extension-apiserver-authentication';
const READERS = 'extension-apiserver-authentication-reader';

/**
 * Publishes the certificate of the authority of clients' certificates where kube-apiserver does, in a config map that every node may read: a kubelet knows the API server by it (`clientCAFile`). Writes only if it is
 * missing or differs.
 */
export async function publishClientAuthority(registry: Registry, certificate: string): Promise<void> {
  const place = { resource: 'configmaps', namespace: NAMESPACE, name: CONFIG_MAP };
  const data = { 'client-ca-file': certificate };
  const stored = await registry.get<ConfigMap>(place);
  if (!stored) {
    const metadata = { name: CONFIG_MAP, namespace: NAMESPACE };
    await create(registry, 'configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  } else if (stored.data?.['client-ca-file'] !== certificate) {
    const changed = { ...stored, data: { ...stored.data, ...data } };
    const outcome = await registry.update('configmaps', changed, { from: stored, request: 'admitted' });
    // What somebody else changed meanwhile is looked at again with the next resync.
    if (outcome.status === 'refused' && outcome.error.reason !== 'Conflict') throw outcome.error;
  }
  await create(registry, `rolebindings.${RBAC}`, NODES_READ);
}

const NODES_READ: NewObject = {
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'driftless:nodes-read-client-authority', namespace: NAMESPACE },
  roleRef: { apiGroup: RBAC, kind: 'Role', name: READERS },
  subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'system:nodes' }],
};

async function create(registry: Registry, resource: string, object: NewObject): Promise<void> {
  const outcome = await registry.create(resource, object, { request: 'admitted' });
  if (outcome.status === 'refused' && outcome.error.reason !== 'AlreadyExists') throw outcome.error;
}
