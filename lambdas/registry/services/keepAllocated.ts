import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.js';
import { isReachedFromOutside, needsHealthCheck } from '../validation/network/serviceTraffic.ts';
import { sameTexts } from './addressFamilies.ts';

/*
 * Clients may send a Service again as they first wrote it, without what the server has chosen; and older clients know `clusterIP`, and not `clusterIPs`.
 */

/** True for a Service whose ports can be open on nodes. */
export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** A new Service with one address only names it in both fields. Changes the spec. */
export function completeClusterIps(spec: ServiceSpec): void {
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
}

/** Fills in what a changed Service had and does not mention. Changes the spec. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') keepAddresses(spec, old);
  if (hasNodePorts(spec) && hasNodePorts(old)) keepNodePorts(spec.ports ?? [], old.ports ?? []);
  if (needsHealthCheck(spec) && needsHealthCheck(old) && !spec.healthCheckNodePort && old.healthCheckNodePort)
    spec.healthCheckNodePort = old.healthCheckNodePort;
  followClusterIp(spec, old);
}

function keepAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
  if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = [...old.clusterIPs];
}

/** A port of the same name keeps its node port, unless another one has it now. */
function keepNodePorts(ports: readonly ServicePort[], before: readonly ServicePort[]): void {
  const inUse = new Set(ports.map(({ nodePort }) => nodePort));
  const known = new Map(before.map(({ name = '', nodePort }) => [name, nodePort]));
  const isMoved = new Set(before.map(({ nodePort }) => nodePort).filter((port) => inUse.has(port)));
  for (const port of ports) {
    const kept = known.get(port.name ?? '');
    if (!port.nodePort && kept && !isMoved.has(kept)) port.nodePort = kept;
  }
}

/** `clusterIPs` follows `clusterIP` where a client has changed only that. */
function followClusterIp(spec: ServiceSpec, old: ServiceSpec): void {
  const [now, before] = [spec.clusterIP ?? '', old.clusterIP ?? ''];
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && now === before) spec.clusterIPs = [...old.clusterIPs];
  if (now === before || !sameTexts(spec.clusterIPs, old.clusterIPs)) return;
  if (now === '') delete spec.clusterIPs;
  else spec.clusterIPs = [now];
}

/**
 * Takes away what a Service no longer needs since its type has changed, unless the same change says something of it, which validation refuses then. Changes the spec.
 */
export function dropTypeDependent(spec: ServiceSpec, old: ServiceSpec): void {
  if (old.type !== 'ExternalName' && spec.type === 'ExternalName') dropAddresses(spec, old);
  if (hasNodePorts(old) && !hasNodePorts(spec) && addsNoNodePort(spec, old))
    for (const port of spec.ports ?? []) delete port.nodePort;
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropSame(spec, old, 'healthCheckNodePort');
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropSame(spec, old, 'allocateLoadBalancerNodePorts');
    dropSame(spec, old, 'loadBalancerClass');
  }
  if (isReachedFromOutside(old) && !isReachedFromOutside(spec)) dropSame(spec, old, 'externalTrafficPolicy');
}

function dropAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  if ((spec.clusterIP ?? '') === (old.clusterIP ?? '') && sameTexts(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameTexts(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  dropSame(spec, old, 'ipFamilyPolicy');
}

function dropSame(spec: ServiceSpec, old: ServiceSpec, name: keyof ServiceSpec): void {
  if (spec[name] === old[name]) delete spec[name];
}

function addsNoNodePort(spec: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map(({ nodePort }) => nodePort));
  return (spec.ports ?? []).every(({ nodePort }) => !nodePort || before.has(nodePort));
}
