import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import { formatIpAddress, parseIpAddress } from '../../objects/addresses/IpAddress.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { fieldsOf, itemsOf, numberOf, textOf, textsOf } from '../validation/fieldsOf.ts';

/** What only one Service can have at a time: `ip/10.96.0.1`, with the address in its canonical form, or `port/30080`. */
export type Holding = `ip/${string}` | `port/${number}`;

export function ipHolding(address: string): Holding | undefined {
  const parsed = parseIpAddress(address);
  return parsed && `ip/${formatIpAddress(parsed)}`;
}

export function portHolding(port: number): Holding {
  return `port/${port}`;
}

/** Returns all that a Service holds. Pure: takes any JSON. */
export function holdingsOf(service: KubernetesObject | undefined): ReadonlySet<Holding> {
  const { clusterIP, clusterIPs, ports, healthCheckNodePort } = fieldsOf<ServiceSpec>(service?.['spec']);
  const open = [...itemsOf<{ nodePort: number }>(ports).map(({ nodePort }) => nodePort), healthCheckNodePort];
  return new Set([
    // A text that is no address, such as `None`, holds nothing.
    ...[textOf(clusterIP), ...textsOf(clusterIPs)].flatMap((address) => ipHolding(address) ?? []),
    ...open.map(numberOf).filter(Boolean).map(portHolding),
  ]);
}

/** Puts another value in the place of a holding that somebody else has got. Changes the spec. */
export function exchangeHolding(spec: ServiceSpec, from: Holding, to: Holding): void {
  const [before, after] = [from, to].map((holding) => holding.slice(holding.indexOf('/') + 1));
  if (before === undefined || after === undefined) return;
  if (from.startsWith('ip/')) {
    spec.clusterIPs = (spec.clusterIPs ?? []).map((address) => (address === before ? after : address));
    if (spec.clusterIP === before) spec.clusterIP = after;
    return;
  }
  for (const port of spec.ports ?? []) if (port.nodePort === Number(before)) port.nodePort = Number(after);
  if (spec.healthCheckNodePort === Number(before)) spec.healthCheckNodePort = Number(after);
}
