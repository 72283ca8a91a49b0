import { companions } from './benchPods.ts';
import type { KubernetesApi } from './KubernetesApi.ts';

/** Creates a namespace with what full pods need in it. */
export async function createNamespace(api: KubernetesApi, name: string): Promise<void> {
  await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await createCompanions(api, name);
}

/** Creates what full pods need in a namespace that exists. */
export async function createCompanions(api: KubernetesApi, namespace: string): Promise<void> {
  for (const [resource, object] of Object.entries(companions(namespace)))
    await api.call('POST', `/api/v1/namespaces/${namespace}/${resource}`, object);
}
