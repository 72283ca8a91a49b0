import type { EndpointAddress, EndpointSubset, Endpoints as ApiEndpoints, Service } from 'kubernetes-types/core/v1.js';
import { ApiError } from '../../objects/ApiError.ts';
import { badRequest, notFound } from '../../objects/apiErrors.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import type { Backend } from '../../ports/BackendConnections.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { forwardRequest } from './forward.ts';
import { proxyPath } from './proxyTarget.ts';

/** A name in the path of a proxy to a Service: `web`, `web:http`, `https:web:443`. */
interface ServiceName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** A port's name or number; `''` for the port without a name. */
  readonly port: string;
}

type Endpoints = Stored<ApiEndpoints>;

/** Answers `services/NAME/proxy`: the request is passed to a ready pod behind the Service. Throws ApiError in Kubernetes' words. */
export async function serveServiceProxy(request: ResourceRequest): Promise<Response> {
  const target = parseServiceName(request.info.name);
  const path = request.info.rest.join('/');
  const options = { kind: 'ServiceProxyOptions', apiVersion: 'v1', ...(path !== '' && { path }) };
  await admitSubresource(request, { operation: 'CONNECT', object: options, dryRun: false });
  return await forwardRequest(request, await backendOf(request, target), proxyPath(request));
}

/** Splits the name in the path of a proxy to a Service. Throws BadRequest. Pure. */
export function parseServiceName(text: string): ServiceName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https';
  if (!isKnown || name === '' || parts.length > 3) throw badRequest(`invalid service request ${goQuote(text)}`);
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

/** How many endpoints are looked at for one request: each costs two reads. */
const MAX_TRIED_ENDPOINTS = 20;

/**
 * Finds a ready endpoint with the port. Only pods are connected to: endpoints that were written by hand may say any address. A pod that is simulated serves nothing, which is said if no other is there.
 */
async function backendOf(request: ResourceRequest, { scheme, name, port }: ServiceName): Promise<Backend> {
  const portName = await portNameOf(request, name, port);
  const endpoints = await read<Endpoints>(request, 'endpoints', name);
  if (!endpoints) throw notFound('endpoints', name);
  let simulated = false;
  for (const [address, number] of placesOf(endpoints.subsets ?? [], portName).slice(0, MAX_TRIED_ENDPOINTS)) {
    const pod = await podAt(request, address);
    if (pod === 'simulated') simulated = true;
    else if (pod) return { scheme, host: address.ip, port: number, isKubelet: false };
  }
  if (simulated) throw badRequest('simulated pods serve nothing: there is nothing to proxy to');
  throw new ApiError('ServiceUnavailable', `no endpoints available for service ${goQuote(name)}`);
}

/** A number is that of the Service's own port, whose name the endpoints have. */
async function portNameOf(request: ResourceRequest, name: string, port: string): Promise<string> {
  if (!/^\d+$/.test(port)) return port;
  const service = await read<Stored<Service>>(request, 'services', name);
  if (!service) throw notFound('services', name);
  const found = service.spec?.ports?.find((one) => one.port === Number(port));
  if (found) return found.name ?? '';
  throw new ApiError('ServiceUnavailable', `no service port ${Number(port)} found for service ${goQuote(name)}`);
}

function placesOf(subsets: readonly EndpointSubset[], portName: string): (readonly [EndpointAddress, number])[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    return port === undefined ? [] : addresses.map((address) => [address, port] as const);
  });
}

/** The pod that an endpoint says it is, if it is there and has that address. */
async function podAt(
  request: ResourceRequest,
  { ip, targetRef }: EndpointAddress,
): Promise<Pod | 'simulated' | undefined> {
  const { namespace } = request.info;
  if (targetRef?.kind !== 'Pod' || (targetRef.namespace ?? namespace) !== namespace) return undefined;
  const pod = await read<Pod>(request, 'pods', targetRef.name ?? '');
  const addresses = [pod?.status?.podIP, ...(pod?.status?.podIPs ?? []).map((one) => one.ip)];
  if (!pod || !addresses.includes(ip)) return undefined;
  const { registry } = request.dependencies;
  const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name: pod.spec?.nodeName ?? '' });
  return node && isSimulatedNode(node) ? 'simulated' : pod;
}

function read<T extends KubernetesObject>(
  { info: { namespace }, dependencies: { registry } }: ResourceRequest,
  resource: string,
  name: string,
): Promise<T | undefined> {
  return registry.get<T>({ resource, namespace, name });
}
