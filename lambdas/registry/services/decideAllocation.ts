import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { AddressRange } from '../../objects/addresses/AddressRange.ts';
import { formatIpAddress, parseIpAddress } from '../../objects/addresses/IpAddress.ts';
import { ApiError } from '../../objects/ApiError.ts';
import { invalid } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { invalid as invalidField } from '../validation/fieldErrors.ts';
import { needsHealthCheck } from '../validation/network/serviceTraffic.ts';
import { decideFamilies, familiesOf, keepsPreference } from './addressFamilies.ts';
import { firstFree, firstFreePort } from './firstFree.ts';
import { type Holding, holdingsOf, ipHolding, portHolding } from './Holding.ts';
import { completeClusterIps, hasNodePorts, keepAllocated } from './keepAllocated.ts';
import type { ServiceNetwork } from './ServiceNetwork.ts';

/** `chosen` is what the server chose for the Service: it may choose again. All else the client has asked for. */
export type AllocationDecision =
  | { readonly status: 'allocated'; readonly chosen: ReadonlySet<Holding> }
  | { readonly status: 'refused'; readonly error: ApiError };

/** What the decision about one Service is made of. */
interface Allocation {
  readonly draft: KubernetesObject;
  readonly spec: ServiceSpec;
  readonly old: ServiceSpec | undefined;
  readonly network: ServiceNetwork;
  /** What the other Services hold, and this one so far. */
  readonly held: Set<Holding>;
  readonly chosen: Set<Holding>;
}

/**
 * Gives a new or changed Service the addresses and node ports that it needs, as kube-apiserver's allocators do: what it had stays, what it asks for must be free, and the rest is chosen. `held` is what the other Services hold.
 * Changes the draft; otherwise pure.
 */
export function decideAllocation(
  draft: KubernetesObject,
  old: KubernetesObject | undefined,
  network: ServiceNetwork,
  held: ReadonlySet<Holding>,
): AllocationDecision {
  const [spec, before] = [draft, old].map((object) => object?.['spec'] as ServiceSpec | undefined);
  // The validation says that the spec is missing.
  if (!spec) return { status: 'allocated', chosen: new Set() };
  if (before) keepAllocated(spec, before);
  else completeClusterIps(spec);
  const errors = decideFamilies(spec, before, network);
  if (errors.length > 0) return { status: 'refused', error: invalid('Service', draft.metadata.name, errors) };
  const allocation: Allocation = { draft, spec, old: before, network, held: new Set(held), chosen: new Set() };
  const error = allocateIps(allocation) ?? allocateNodePorts(allocation) ?? allocateHealthPort(allocation);
  return error ? { status: 'refused', error } : { status: 'allocated', chosen: allocation.chosen };
}

function allocateIps(allocation: Allocation): ApiError | undefined {
  const { spec, old, network } = allocation;
  const keeps = old !== undefined && old.type !== 'ExternalName';
  if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === 'None') return undefined;
  if (keepsPreference(spec, old) || (keeps && old.clusterIPs?.[0] === 'None')) return undefined;
  // A changed address of those that it had is the validation's to refuse.
  const kept = keeps ? (old.clusterIPs ?? []).length : 0;
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (index < kept) continue;
    const range = network.ranges[familiesOf(network).findIndex((one) => one === family)];
    const error = range && allocateIp(allocation, index, range);
    if (error) return error;
  }
  return undefined;
}

function allocateIp(allocation: Allocation, index: number, range: AddressRange): ApiError | undefined {
  const { spec, held, draft } = allocation;
  const asked = spec.clusterIPs?.[index] ?? '';
  const why = asked === '' ? undefined : ipProblem(asked, range, held);
  if (why !== undefined) return ipRefusal(draft, asked, why);
  const address = asked === '' ? firstFree(range, seedOf(draft), held) : asked;
  if (address === undefined) return exhausted('failed to allocate a serviceIP: range is full');
  const holding = ipHolding(address);
  if (holding) held.add(holding);
  if (asked !== '' || !holding) return undefined;
  allocation.chosen.add(holding);
  const addresses = [...(spec.clusterIPs ?? [])];
  addresses[index] = address;
  Object.assign(spec, { clusterIPs: addresses, clusterIP: addresses[0] });
  return undefined;
}

function ipProblem(asked: string, range: AddressRange, held: ReadonlySet<Holding>): string | undefined {
  const { bits, family } = parseIpAddress(asked) ?? { bits: -1n, family: undefined };
  const place = bits - range.first;
  if (family !== range.address.family || place < 0n || place >= range.size)
    return 'the provided network does not match the current range';
  // The first address is the network's, and IPv4's last is for broadcasts.
  if (place === 0n || (family === 4 && place === range.size - 1n))
    return `the provided IP (${formatIpAddress({ bits, family })}) is not in the valid range. The range of valid IPs is ${range.text}`;
  const holding = ipHolding(asked);
  return holding && held.has(holding) ? 'provided IP is already allocated' : undefined;
}

function ipRefusal({ metadata, ...draft }: KubernetesObject, address: string, why: string): ApiError {
  const { clusterIPs } = draft['spec'] as ServiceSpec;
  const error = invalidField('spec.clusterIPs', clusterIPs, `failed to allocate IP ${address}: ${why}`);
  return invalid('Service', metadata.name, [error]);
}

/** True if each port of the Service gets a node port. */
function choosesNodePorts(spec: ServiceSpec): boolean {
  return hasNodePorts(spec) && (spec.type === 'NodePort' || spec.allocateLoadBalancerNodePorts !== false);
}

function allocateNodePorts(allocation: Allocation): ApiError | undefined {
  const { spec, old } = allocation;
  if (!hasNodePorts(spec)) return undefined;
  const ports = spec.ports ?? [];
  const before = holdingsOf(old && ({ spec: old } as unknown as KubernetesObject));
  // What a new Service wants for one number it gets for all protocols of that number.
  const byNumber = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !choosesNodePorts(spec)) continue;
    if (!old) port.nodePort ||= byNumber.get(port.port) ?? askedFor(port.port, ports);
    const error = allocateNodePort(allocation, port, index, {
      before,
      isShared: byNumber.get(port.port) === port.nodePort,
    });
    if (error) return error;
    if (port.nodePort && !byNumber.has(port.port)) byNumber.set(port.port, port.nodePort);
  }
  return undefined;
}

function askedFor(number: number, ports: readonly ServicePort[]): number {
  return ports.find((port) => port.port === number && port.nodePort)?.nodePort ?? 0;
}

interface PortBefore {
  /** What the Service held before the change. */
  readonly before: ReadonlySet<Holding>;
  /** True if an earlier port of the Service has the same number and the same node port. */
  readonly isShared: boolean;
}

function allocateNodePort(
  allocation: Allocation,
  port: ServicePort,
  index: number,
  { before, isShared }: PortBefore,
): ApiError | undefined {
  const { draft, network, held } = allocation;
  if (!port.nodePort) {
    const chosen = choosePort(allocation, `${seedOf(draft)}/${port.protocol ?? 'TCP'}/${port.port}`);
    if (chosen === undefined) return exhausted('failed to allocate a nodePort: range is full');
    port.nodePort = chosen;
    return undefined;
  }
  const holding = portHolding(port.nodePort);
  if (isShared || before.has(holding)) return undefined;
  const why = portProblem(port.nodePort, network, held);
  if (why !== undefined) return portRefusal(draft, index, port.nodePort, why);
  held.add(holding);
  return undefined;
}

function choosePort(allocation: Allocation, seed: string): number | undefined {
  const { network, held, chosen, spec } = allocation;
  // What the Service asks for in a later port is not free either.
  const taken = new Set([...held, ...(spec.ports ?? []).map(({ nodePort }) => portHolding(nodePort ?? 0))]);
  const port = firstFreePort(network.nodePorts, seed, taken);
  if (port === undefined) return undefined;
  held.add(portHolding(port));
  chosen.add(portHolding(port));
  return port;
}

function portProblem(
  port: number,
  { nodePorts: { first, last } }: ServiceNetwork,
  held: ReadonlySet<Holding>,
): string | undefined {
  if (port < first || port > last)
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  return held.has(portHolding(port)) ? 'provided port is already allocated' : undefined;
}

function portRefusal({ metadata }: KubernetesObject, index: number, port: number, why: string): ApiError {
  return invalid('Service', metadata.name, [invalidField(`spec.ports[${index}].nodePort`, port, why)]);
}

function allocateHealthPort(allocation: Allocation): ApiError | undefined {
  const { spec, old, network, held } = allocation;
  const asked = spec.healthCheckNodePort ?? 0;
  if (!needsHealthCheck(spec)) return undefined;
  if (asked === 0) {
    const chosen = choosePort(allocation, `${seedOf(allocation.draft)}/health`);
    if (chosen === undefined) return exhausted('failed to allocate a HealthCheck NodePort 0: range is full');
    spec.healthCheckNodePort = chosen;
    return undefined;
  }
  if (old && needsHealthCheck(old)) return undefined;
  const why = portProblem(asked, network, held);
  return why === undefined ? undefined : healthRefusal(asked, why);
}

function healthRefusal(port: number, why: string): ApiError {
  return exhausted(`failed to allocate requested HealthCheck NodePort ${port}: ${why}`);
}

/** kube-apiserver answers so where no field of the client is wrong. */
function exhausted(why: string): ApiError {
  return new ApiError('InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** The refusal of what the client asked for and another Service has got in the meantime. Pure. */
export function takenError(draft: KubernetesObject, holding: Holding): ApiError {
  const spec = draft['spec'] as ServiceSpec;
  if (holding.startsWith('ip/')) {
    const address = (spec.clusterIPs ?? []).find((one) => ipHolding(one) === holding) ?? '';
    return ipRefusal(draft, address, 'provided IP is already allocated');
  }
  const why = 'provided port is already allocated';
  const index = (spec.ports ?? []).findIndex(({ nodePort }) => portHolding(nodePort ?? 0) === holding);
  const port = Number(holding.slice('port/'.length));
  return index < 0 ? healthRefusal(port, why) : portRefusal(draft, index, port, why);
}

/** Another address or port in the place of one that was chosen and is taken; `undefined` if there is none. Pure. */
export function chooseAgain(
  draft: KubernetesObject,
  taken: Holding,
  network: ServiceNetwork,
  held: ReadonlySet<Holding>,
): Holding | undefined {
  if (taken.startsWith('port/')) {
    const port = firstFreePort(network.nodePorts, `${seedOf(draft)}/${taken}`, held);
    return port === undefined ? undefined : portHolding(port);
  }
  const family = parseIpAddress(taken.slice('ip/'.length))?.family;
  const range = network.ranges.find(({ address }) => address.family === family);
  const address = range && firstFree(range, seedOf(draft), held);
  return address === undefined ? undefined : ipHolding(address);
}

/** The same Service gets the same address again, if it is free. */
function seedOf({ metadata: { namespace = '', name } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}
