import type { ApiError } from '../../objects/ApiError.ts';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Registry } from '../../registry/Registry.ts';

/** The first address of the service network, as in kubeadm (see allocateClusterIp.ts). */
const CLUSTER_IP = '10.96.0.1';
/**
 * The API server's address in the Endpoints. It is one that is reserved for documentation: no simulated pod connects to it, the API in the cloud has no address of
 * its own, and Kubernetes allows no loopback address here.
 */
const SERVER_ADDRESS = '192.0.2.1';
const SERVER_PORT = 6443;

const PORT = { name: 'https', protocol: 'TCP', port: SERVER_PORT };
const PLACE = { name: 'kubernetes', namespace: 'default' };

/** The API server as a Service of its own cluster, with its endpoints, as kube-apiserver writes them. */
const OBJECTS: readonly (readonly [resource: GroupResource, object: NewObject])[] = [
  [
    'services',
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...PLACE, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: CLUSTER_IP,
        clusterIPs: [CLUSTER_IP],
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ ...PORT, port: 443, targetPort: SERVER_PORT }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    },
  ],
  [
    'endpoints',
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...PLACE, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: SERVER_ADDRESS }], ports: [PORT] }],
    },
  ],
  [
    'endpointslices.discovery.k8s.io',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...PLACE, labels: { 'kubernetes.io/service-name': PLACE.name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [SERVER_ADDRESS], conditions: { ready: true } }],
      ports: [PORT],
    },
  ],
];

/**
 * Creates the Service `default/kubernetes` and its endpoints if they are missing, for instance because somebody deleted them, and their namespace if that is missing. kube-apiserver does the same every ten
 * seconds. A resource that is not served is left out. Resolves to why objects were refused, such as a namespace that is being deleted: nothing else should wait for that. Costs one read for each object that exists.
 */
export async function restoreKubernetesService(
  registry: Registry,
  served: readonly GroupResource[],
): Promise<readonly ApiError[]> {
  const refused: ApiError[] = [];
  for (const [resource, object] of OBJECTS.filter(([one]) => served.includes(one))) {
    if (await registry.get({ resource, ...PLACE })) continue;
    const error = await createInNamespace(registry, resource, object);
    if (error) refused.push(error);
  }
  return refused;
}

/** Returns the error if the object is refused. Only the first object finds its namespace missing. */
async function createInNamespace(
  registry: Registry,
  resource: GroupResource,
  object: NewObject,
): Promise<ApiError | undefined> {
  const error = await createOnce(registry, resource, object);
  if (error?.reason !== 'NotFound') return error;
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: PLACE.namespace } };
  return (await createOnce(registry, 'namespaces', namespace)) ?? (await createOnce(registry, resource, object));
}

async function createOnce(
  registry: Registry,
  resource: GroupResource,
  object: NewObject,
): Promise<ApiError | undefined> {
  const created = await registry.create(resource, object, { request: 'admitted' });
  return created.status === 'refused' && created.error.reason !== 'AlreadyExists' ? created.error : undefined;
}
