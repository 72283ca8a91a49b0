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
 * Creates the Service `default/kubernetes` and its endpoints if they are missing, for instance because somebody deleted them. kube-apiserver does the same every ten
 * seconds. A resource that is not served is left out. Costs one read for each object that exists.
 */
export async function restoreKubernetesService(registry: Registry, served: readonly GroupResource[]): Promise<void> {
  for (const [resource, object] of OBJECTS.filter(([one]) => served.includes(one))) {
    if (await registry.get({ resource, ...PLACE })) continue;
    const created = await registry.create(resource, object);
    if (created.status === 'refused' && created.error.reason !== 'AlreadyExists') throw created.error;
  }
}
