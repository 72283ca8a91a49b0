import type { ApiError } from '../../objects/ApiError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import type { Registry } from '../../registry/Registry.ts';
import { apiServerAddress, DEFAULT_SERVICE_NETWORK } from '../../registry/services/ServiceNetwork.ts';

/** Where pods reach the API server over HTTPS: an IPv4 address, and a port. */
export interface ServerAddress {
  readonly ip: string;
  readonly port: number;
}

/**
 * The address of an API server that pods cannot reach. It is one that is reserved for documentation: no simulated pod connects to it, the API in the cloud has no address of
 * its own, and Kubernetes allows no loopback address here.
 */
const NO_ADDRESS: ServerAddress = { ip: '192.0.2.1', port: 6443 };

const PORT = { name: 'https', protocol: 'TCP' };
const PLACE = { name: 'kubernetes', namespace: 'default' };

type Wanted = readonly [resource: GroupResource, object: NewObject];

/** The API server as a Service of its own cluster, with its endpoints, as kube-apiserver writes them. */
const objectsOf = ({ ip, port }: ServerAddress, clusterIp: string): readonly Wanted[] => [
  [
    'services',
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...PLACE, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: clusterIp,
        clusterIPs: [clusterIp],
        internalTrafficPolicy: 'Cluster',
        ipFamilyPolicy: 'SingleStack',
        ports: [{ ...PORT, port: 443, targetPort: port }],
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
      subsets: [{ addresses: [{ ip }], ports: [{ ...PORT, port }] }],
    },
  ],
  [
    'endpointslices.discovery.k8s.io',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...PLACE, labels: { 'kubernetes.io/service-name': PLACE.name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [ip], conditions: { ready: true } }],
      ports: [{ ...PORT, port }],
    },
  ],
];

/** The members of the endpoints that say where the server is. */
const PLACES = ['subsets', 'endpoints', 'ports'] as const;

/**
 * Creates the Service `default/kubernetes` and its endpoints if they are missing, for instance because somebody deleted them, and their namespace if that is missing. Endpoints that say something else than where the
 * server is are corrected. kube-apiserver does the same every ten seconds. A resource that is not served is left out. Resolves to why objects were refused, such as a namespace that is being deleted: nothing else should wait for that. Costs one read for each object that exists.
 */
export async function restoreKubernetesService(
  registry: Registry,
  served: readonly GroupResource[],
  server: ServerAddress = NO_ADDRESS,
  clusterIp: string = apiServerAddress(DEFAULT_SERVICE_NETWORK),
): Promise<readonly ApiError[]> {
  const refused: ApiError[] = [];
  for (const [resource, object] of objectsOf(server, clusterIp).filter(([one]) => served.includes(one))) {
    const stored = await registry.get({ resource, ...PLACE });
    const error = stored
      ? await correct(registry, resource, stored, object)
      : await createInNamespace(registry, resource, object);
    if (error) refused.push(error);
  }
  return refused;
}

/** The Service itself is its users' to change: nothing connects to its target port. */
async function correct(
  registry: Registry,
  resource: GroupResource,
  stored: KubernetesObject,
  wanted: NewObject,
): Promise<ApiError | undefined> {
  const places = Object.fromEntries(PLACES.flatMap((one) => (one in wanted ? [[one, wanted[one]]] : [])));
  if (resource === 'services' || Object.entries(places).every(([one, value]) => jsonEqual(stored[one], value)))
    return undefined;
  const outcome = await registry.update(resource, { ...stored, ...places }, { from: stored, request: 'admitted' });
  return outcome.status === 'refused' && outcome.error.reason !== 'Conflict' ? outcome.error : undefined;
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
